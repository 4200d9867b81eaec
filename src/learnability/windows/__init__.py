"""From transport to windows: the matched statistic, its noise, sample complexities, windows and their controls."""
