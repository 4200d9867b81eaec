"""Counts of comparisons of networks with attention and without."""

import pandas as pd

MOSTLY = 0.75
"""Share of the lags that are learned from which most are said to be detected in time."""


def more_and_less(contrasts: pd.DataFrame) -> tuple[int, int]:
    """Numbers of comparisons in which more and less is learned, beyond the interval or the range over seeds."""
    return int((contrasts["share_low"] > 0).sum()), int((contrasts["share_high"] < 0).sum())
