"""The table of what `studies.attention.screening` measures."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from learnability.windows.reach import RUN
from studies.attention.before_training import by_quarters
from studies.attention.trained_tables import VARIED, at_first_delay, in_words, of_copying

UNTRAINED, AT_EACH = "nothing", "denoise, at each size"
"""What networks were trained on, beside an experiment with sizes of its own."""
GROUP = ["architecture", "trained_on", "varied", "size", "other"]
KINDS = {"back": int, "size": int, "other": int, "log_norm": float, "accuracy": float}
"""Of columns, which those of empty tables have not."""
READ = ("steps", "last_step", "farthest", "span", "accuracy")


def together(measured: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """What is measured at several sizes, with `trained_on`: `UNTRAINED`; an experiment in words, of networks that are
    put to other sizes than those of their training, of the first such experiment; or `AT_EACH`, of those trained there.

    Args:
        measured: `sizes` and `screened`, of `studies.attention.screening`, and `arriving` and `answers`, of
            `studies.attention.trained`, with `architecture`, and all but `sizes` with `experiment` and `seed`.
    """
    before, after, arriving, answers = (measured[kind] for kind in ("sizes", "screened", "arriving", "answers"))
    put = at_first_delay(after)
    put = put.assign(trained_on=put["experiment"].map(in_words))
    sized, own = (of_copying(rows, *VARIED).query("task == 'denoise'") for rows in (arriving, answers))
    sized = sized[sized["at_delay"] == sized["at_delay"].min()]
    sized = sized.rename(columns={"variant": "varied", "value": "size"}).assign(trained_on=AT_EACH)
    sized["other"] = pd.concat([before["other"], after["other"]]).max()
    sized = sized.join(own.query("delay == trained_at").set_index(RUN)["accuracy"], on=RUN)
    columns = [*dict.fromkeys([*GROUP, *KINDS])]
    parts = [part.reindex(columns=columns).astype(KINDS) for part in (before.assign(trained_on=UNTRAINED), put, sized)]
    return pd.concat(parts, ignore_index=True)


def tabulate(measured: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """`screening`: at each size, log₁₀ of ‖∂L/∂h_t‖ at the `last_step`, what is added to it in the `farthest` quarter
    of the way back (median), its `span` over all steps where anything arrives, decades, and the `accuracy` of networks
    that are trained; medians over seeds.

    Args:
        measured: `sizes`, `screened`, `arriving` and `answers`, see `together`.
    """
    rows = together(measured).groupby(GROUP, sort=False)
    read = [{**dict(zip(GROUP, names, strict=True)), **_read(own)} for names, own in rows]
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
