"""Cells that no other beats at a lower cost."""

import numpy as np
import pandas as pd


def front(table: pd.DataFrame, cost: str) -> "pd.Series[bool]":
    """True for cells on the Pareto front: no other has at least the score at no more cost, and is better in one.

    Args:
        table: `score` and a column of costs.

    Example:
        >>> front(pd.DataFrame({"score": [0.5, 0.9, 0.8], "cost": [1, 2, 3]}), "cost").tolist()
        [True, True, False]
    """
    score, price = table["score"].to_numpy()[:, None], table[cost].to_numpy()[:, None]
    no_worse = (score <= score.T) & (price >= price.T)
    better = (score < score.T) | (price > price.T)
    return pd.Series(~(no_worse & better).any(axis=1), table.index, dtype=np.bool_)
