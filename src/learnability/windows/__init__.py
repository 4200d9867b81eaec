"""From transport to windows: the matched statistic, its noise, sample needs, windows, and what they are checked by."""
