"""Windows from transport: the matched statistic, its noise, sample complexities, windows and their controls."""
