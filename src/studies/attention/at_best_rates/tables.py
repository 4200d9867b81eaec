"""Learned shares of networks with attention and without, at several learning rates."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.windows.reach import RUN
from studies.attention.window_tables import pairs

CONTRAST = [
    *("experiment", "with", "without", "kind", "seeds", "rate", "rate_without"),
    *("share", "share_low", "share_high"),
]


def tabulate(measurements: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Tables of what is explained at the end of training, by learning rate and at the best.

    The share of the variance of y that is explained, of what can be: (σ² - L) / (σ² - ς²), with the validation loss L,
    the mean squared error; σ² = L / (1 - R²), that of who answers with the mean; and ς, the standard deviation of the
    noise, beyond whose square no loss goes but by chance.

    Args:
        measurements: `rated`, learning curves, with `experiment`, `architecture` and `seed`.
        settings: `rated`, of each run its `experiment`, `architecture` and `seed`; `name`, which the experiment has
            at all rates; its learning `rate`; and ς, `noise_sd`.

    Returns:
        `attention_rates`: the `share` that is explained at each `rate`, the median over `seeds`, with `low` and `high`;
        of how many seeds training `diverged`, whose share is that of their last good epoch; and whether it is the
        `best` rate of the network, the one of the largest share among those at which no seed diverged.
        `attention_best_rates`: the `share` of networks with attention less that of one without, of the same cell or
        whose recurrence keeps its gradient (`kind`), each at its own best rate; the median over seeds, `share_low` and
        `share_high`, and the rates, `rate` and `rate_without`.
    """
    ends = measurements["rated"].sort_values("epoch").groupby(RUN, sort=False).last().reset_index()
    ends = ends.merge(pd.DataFrame(settings["rated"]), on=RUN).assign(experiment=lambda rows: rows["name"])
    variance = ends["validation_loss"] / (1 - ends["r_squared"])
    ends["share"] = (variance - ends["validation_loss"]) / (variance - ends["noise_sd"] ** 2)
    ends["diverged"] = ends["epoch"] < ends.groupby("experiment")["epoch"].transform("max")
    groups = ends.groupby(["experiment", "architecture", "rate"], sort=False)
    table = groups["share"].agg(["count", "median", "min", "max"]).assign(diverged=groups["diverged"].sum())
    table = table.reset_index().sort_values(["experiment", "architecture", "rate"], ignore_index=True)
    table.columns = pd.Index(["experiment", "architecture", "rate", "seeds", "share", "low", "high", "diverged"])
    whole = table[table["diverged"] == 0]
    table["best"] = table.index.isin(whole.groupby(["experiment", "architecture"])["share"].idxmax())
    best = ends.merge(table.loc[table["best"], ["experiment", "architecture", "rate"]])
    return {"attention_rates": table, "attention_best_rates": _contrasts(best)}


def _contrasts(best: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for (experiment, name, without, kind), pair in pairs(best):
        share = pair["share"] - pair["share_without"]
        labels = {"experiment": experiment, "with": name, "without": without, "kind": kind, "seeds": len(pair)}
        rates = {column: pair[column].iloc[0] for column in ("rate", "rate_without")}
        ends = {"share": share.median(), "share_low": share.min(), "share_high": share.max()}
        rows.append(labels | rates | ends)
    return pd.DataFrame(rows, columns=CONTRAST)
