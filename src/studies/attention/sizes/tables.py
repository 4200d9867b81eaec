"""The table of measurements of `studies.attention.screening`."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from learnability.windows.reach import RUN
from studies.attention.before_training import by_quarters
from studies.attention.trained_tables import SIZES, at_first_delay, in_words, of_copying

UNTRAINED, AT_EACH = "nothing", "denoise, at each size"
"""Values of `trained_on`, beside experiments in words."""
GROUP = ["architecture", "trained_on", "varied", "size", "other"]
KINDS = {"back": int, "size": int, "other": int, "log_norm": float, "accuracy": float}
"""Types of columns, which empty tables lack."""
READ = ("steps", "last_step", "farthest", "span", "accuracy")


def together(measurements: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Measurements at several sizes, with `trained_on`: `UNTRAINED`; an experiment in words, of networks that are
    put to other sizes than those of their training, of the first such experiment; or `AT_EACH`, of those trained there.

    Args:
        measurements: `sizes` and `screened`, of `studies.attention.screening`, and `arriving` and `answers`, of
            `studies.attention.trained`, with `architecture`, and all but `sizes` with `experiment` and `seed`.
    """
    before, after, gradients, answers = (measurements[kind] for kind in ("sizes", "screened", "arriving", "answers"))
    put = at_first_delay(after)
    put = put.assign(trained_on=put["experiment"].map(in_words))
    networks, recalls = (of_copying(rows, *SIZES).query("task == 'denoise'") for rows in (gradients, answers))
    networks = networks[networks["at_delay"] == networks["at_delay"].min()]
    networks = networks.rename(columns={"variant": "varied", "value": "size"}).assign(trained_on=AT_EACH)
    networks["other"] = pd.concat([before["other"], after["other"]]).max()
    networks = networks.join(recalls.query("delay == trained_at").set_index(RUN)["accuracy"], on=RUN)
    columns = [*dict.fromkeys([*GROUP, *KINDS])]
    parts = [
        part.reindex(columns=columns).astype(KINDS) for part in (before.assign(trained_on=UNTRAINED), put, networks)
    ]
    return pd.concat(parts, ignore_index=True)


def tabulate(measurements: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """`screening`: at each size, log₁₀ of ‖∂L/∂h_t‖ at the `last_step`, what is added to it in the `farthest` quarter
    of the way back (median), its `span` over all steps where anything arrives, decades, and the `accuracy` of networks
    that are trained; medians over seeds.

    Args:
        measurements: `sizes`, `screened`, `arriving` and `answers`, see `together`.
    """
    rows = together(measurements).groupby(GROUP, sort=False)
    read = [{**dict(zip(GROUP, names, strict=True)), **_read(group)} for names, group in rows]
    return {"screening": pd.DataFrame(read, columns=[*GROUP, *READ])}


def _read(rows: pd.DataFrame) -> dict[str, float]:
    quarters = by_quarters(rows).iloc[0]
    *_, farthest, _ = quarters.index
    norms = rows.groupby("back")["log_norm"].median()
    span = np.ptp(norms[np.isfinite(norms)])
    values = len(norms), quarters["last_step"], quarters[farthest], span, rows["accuracy"].median()
    return dict(zip(READ, values, strict=True))


def leverage(table: pd.DataFrame) -> pd.DataFrame:
    """Decades by which each size moves the `farthest` quarter: a column for each that is varied."""
    spans = table.groupby(["architecture", "trained_on", "varied"], sort=False)["farthest"].agg(np.ptp)
    return spans.unstack("varied").reset_index()
