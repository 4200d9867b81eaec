"""Words for comparisons of networks with attention and without."""

from collections.abc import Mapping

import pandas as pd

from studies.attention.trained_tables import in_words

MOSTLY = 0.75
"""Share of the lags that are learned from which most are said to be detected in time."""


def verdict_on(more: int, comparisons: int) -> str:
    """Whether attention does more in all comparisons, in some or in none."""
    if not comparisons:
        return "Nothing is compared"
    return "No" if not more else "Yes" if more == comparisons else "In part"


def more_and_less(contrasts: pd.DataFrame) -> tuple[int, int]:
    """In how many comparisons more and less is learned, beyond the interval or the range over seeds."""
    return int((contrasts["share_low"] > 0).sum()), int((contrasts["share_high"] < 0).sum())


def range_of_differences(same: pd.DataFrame, labels: Mapping[str, str]) -> str:
    """The least and the largest difference of shares between a cell with attention and without, with their ranges."""
    if same.empty:
        return ""
    ends = [same.iloc[int(place)] for place in (same["share"].argmin(), same["share"].argmax())]
    least, most = (
        f"{row['share']:+.2f} ({row['share_low']:+.2f} to {row['share_high']:+.2f}; {labels[row['with']]} and "
        f"{labels[row['without']]} on {in_words(row['experiment'])})"
        for row in ends
    )
    return f"The difference of shares, with attention minus without, ranges from {least} to {most}."
