"""The table of what `studies.attention.screening` measures."""

import numpy as np
import pandas as pd

from studies.attention.before_training import by_quarters
from studies.attention.trained_tables import in_words

VARIED = ("relevant", "short_term")
"""ρ, then ν, as the paper's panels stand."""
UNTRAINED = "nothing"
GROUP = ["architecture", "trained_on", "varied", "size", "other"]
KINDS = {"back": int, "size": int, "other": int, "log_norm": float, "accuracy": float}
"""Of columns, which those of empty tables have not."""
READ = ("steps", "last_step", "farthest", "span", "accuracy")


def together(before: pd.DataFrame, after: pd.DataFrame) -> pd.DataFrame:
    """Rows of both with `trained_on`, the experiment in words, or `UNTRAINED`: after training, of the first experiment.

    Args:
        before, after: of `studies.attention.screening`, with `architecture`, the latter with `experiment` and `seed`.
    """
    first = after["experiment"].iloc[:1].tolist()
    trained = after[after["experiment"].isin(first)].assign(trained_on="".join(map(in_words, first)))
    columns = [*dict.fromkeys([*GROUP, *KINDS])]
    parts = [part.reindex(columns=columns).astype(KINDS) for part in (before.assign(trained_on=UNTRAINED), trained)]
    return pd.concat(parts, ignore_index=True)


def tabulate(before: pd.DataFrame, after: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """`screening`: at each size, log₁₀ of ‖∂L/∂h_t‖ at the `last_step`, what is added to it in the `farthest` quarter
    of the way back (median), its `span` over all steps where anything arrives, decades, and the `accuracy` of networks
    that are trained; medians over seeds."""
    read = [
        {**dict(zip(GROUP, names, strict=True)), **_read(rows)}
        for names, rows in together(before, after).groupby(GROUP, sort=False)
    ]
    return {"screening": pd.DataFrame(read, columns=[*GROUP, *READ])}


def _read(rows: pd.DataFrame) -> dict[str, float]:
    quarters = by_quarters(rows).iloc[0]
    *_, farthest, _ = quarters.index
    norms = rows.groupby("back")["log_norm"].median()
    span = np.ptp(norms[np.isfinite(norms)])
    values = len(norms), quarters["last_step"], quarters[farthest], span, rows["accuracy"].median()
    return dict(zip(READ, values, strict=True))


def leverage(table: pd.DataFrame) -> pd.DataFrame:
    """By how many decades each size moves the `farthest` quarter: a column for each that is varied."""
    moved = table.groupby(["architecture", "trained_on", "varied"], sort=False)["farthest"].agg(np.ptp)
    return moved.unstack("varied").reset_index()
