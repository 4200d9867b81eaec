"""The matched statistic, its noise, sample complexities, windows and their controls, from transport on."""
