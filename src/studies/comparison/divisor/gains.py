"""Scores and learned lags at delayed sums, one of which has lags with a common divisor."""

from collections.abc import Mapping

import pandas as pd

from studies.comparison.lags.numbers import HALF

SCORES = ["score", "score_low", "score_high", "half"]
LAGS = ["family", "contest", "architecture", "place", "lag", "share", "learned"]


def learned_lags(of_lags: pd.DataFrame, sums: Mapping[str, str]) -> pd.DataFrame:
    """Shares of the coefficient that each cell learns at each lag of all sums; empty if one of them has no rows.

    Args:
        of_lags: of `studies.comparison.tables.lags`, of all delayed sums.
        sums: contests of `studies.comparison.section.sums_of`; without a `divisor` the table is empty.

    Returns:
        A row for each contest, `plain` first and `divisor` last, cell and `lag`, the first, second or later one by
        `place`: the median `share` over seeds, and whether the lag is `learned`, which takes a share of `HALF`.
    """
    parts = [of_lags[of_lags["contest"] == contest] for contest in sums.values()]
    is_raced = "divisor" in sums and all(map(len, parts))
    table = pd.concat(parts if is_raced else [of_lags[:0]], ignore_index=True)
    places = table.groupby("contest")["lag"].rank(method="dense").astype(int)
    return table.rename(columns={"share_end": "share"}).assign(place=places, learned=table["share_end"] >= HALF)[LAGS]


def gains(performance: pd.DataFrame, of_lags: pd.DataFrame, sums: Mapping[str, str]) -> pd.DataFrame:
    """Scores of each cell at all sums, and whether it learns their longest lags; empty if one of them has no rows.

    Args:
        performance: of `studies.comparison.tables.performance`, of all delayed sums.
        of_lags: of `learned_lags`.
        sums: contests of `studies.comparison.section.sums_of`.

    Returns:
        A row for each cell: its `score` without a divisor, `score_control` where lags are as long without one, and
        `score_divisor` with one, each with its 95 % interval, and `half`, scores after half of the updates, with the
        same endings; the last of the three less the others as `gain` and `gain_control`; and whether it learns the
        longest lag, `longest`, `longest_control` and `longest_divisor`. Without a control its columns are left out.
    """
    contests = {"": sums["plain"], "_control": sums.get("control", ""), "_divisor": sums.get("divisor", "")}
    if not contests["_control"]:
        del contests["_control"]
    table = performance[performance["contest"] == sums["plain"]][["family", "architecture"]]
    for suffix, contest in contests.items():
        scores = performance[performance["contest"] == contest][["architecture", *SCORES]]
        table = table.merge(scores.rename(columns={name: f"{name}{suffix}" for name in SCORES}), on="architecture")
    for suffix in list(contests)[:-1]:
        table[f"gain{suffix}"] = table["score_divisor"] - table[f"score{suffix}"]
    farthest = of_lags[of_lags["lag"] == of_lags.groupby("contest")["lag"].transform("max")]
    for suffix, contest in contests.items():
        learners = farthest[farthest["contest"] == contest][["architecture", "learned"]]
        table = table.merge(learners.rename(columns={"learned": f"longest{suffix}"}), on="architecture")
    return table
