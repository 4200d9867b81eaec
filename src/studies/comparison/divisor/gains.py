"""Scores and learned lags at two delayed sums, one of which has lags with a common divisor."""

import pandas as pd

from studies.comparison.lags.numbers import HALF

SCORES = ["score", "score_low", "score_high"]
LAGS = ["family", "contest", "architecture", "place", "lag", "share", "learned"]


def learned_lags(of_lags: pd.DataFrame, delayed_sum: str, divisor: str) -> pd.DataFrame:
    """Shares of the coefficient that each cell learns at each lag of both tasks; empty if one task has no rows.

    Args:
        of_lags: of `studies.comparison.tables.lags`, of all delayed sums.
        delayed_sum, divisor: contests without and with a common divisor.

    Returns:
        A row for each contest, cell and `lag`, the first, second or later one by `place`: the median `share` over
        seeds, and whether the lag is `learned`, which takes a share of `HALF`.
    """
    parts = [of_lags[of_lags["contest"] == contest] for contest in (delayed_sum, divisor)]
    table = pd.concat(parts if all(map(len, parts)) else [of_lags[:0]], ignore_index=True)
    places = table.groupby("contest")["lag"].rank(method="dense").astype(int)
    return table.rename(columns={"share_end": "share"}).assign(place=places, learned=table["share_end"] >= HALF)[LAGS]


def gains(performance: pd.DataFrame, of_lags: pd.DataFrame, delayed_sum: str, divisor: str) -> pd.DataFrame:
    """Scores of each cell at both tasks, and whether it learns their longest lags; empty if one task has no rows.

    Args:
        performance: of `studies.comparison.tables.performance`.
        of_lags: of `learned_lags`.
        delayed_sum, divisor: contests without and with a common divisor.

    Returns:
        A row for each cell: its `score` without a divisor and `score_divisor` with one, each with its 95 % interval,
        the second less the first as `gain`, and whether it learns the longest lag, `longest` and `longest_divisor`.
    """
    table = performance[performance["contest"] == delayed_sum][["family", "architecture", *SCORES]]
    scores = performance[performance["contest"] == divisor].set_index("architecture")[SCORES]
    table = table.merge(scores.add_suffix("_divisor").reset_index(), on="architecture")
    table["gain"] = table["score_divisor"] - table["score"]
    farthest = of_lags[of_lags["lag"] == of_lags.groupby("contest")["lag"].transform("max")]
    for column, contest in {"longest": delayed_sum, "longest_divisor": divisor}.items():
        learners = farthest[farthest["contest"] == contest][["architecture", "learned"]]
        table = table.merge(learners.rename(columns={"learned": column}), on="architecture")
    return table
