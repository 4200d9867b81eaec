"""Numbers of sequences from which lags are learned, for the page."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from learnability.report.style import Tables
from studies.ground_truth.answers import n50_cell, size_columns
from studies.ground_truth.contest import MOST_SEEDS, SETTING
from studies.ground_truth.tables import last_look

MORE = 0.1
"""Difference of r/c from which the page names it."""
RISE = 0.05
"""Rise of r/c over the second half of the updates from which a training still rises."""


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: N₅₀ `inside` the N that were tried, and how many settings are beyond or never learn.

    `dense_beyond` are settings with dense inputs that are learned from more sequences than were tried.
    """
    of_grids = tables["half_learned"][tables["half_learned"]["grid"] != "six_lags"]
    last, shares = last_look(of_grids), tables["learned_share"]
    last = last.assign(name=last["architecture"].map(labels))
    learnable = last[last["learned"] >= MOST_SEEDS]
    inside = learnable[(learnable["n50"] > 0) & np.isfinite(learnable["n50"])]
    dense = learnable[learnable["grid"] == "dense"]
    of_most = shares[size_columns(shares)[:-1]].ffill(axis=1).iloc[:, -1]
    plateaus = shares[of_most - shares["N = ∞"] > MORE]
    return {
        "settings": len(last),
        "grids": last["grid"].unique().tolist(),
        "learned": len(learnable),
        "below": (learnable["n50"] == 0).sum(),
        "dense_below": (dense["n50"] == 0).sum(),
        "dense_beyond": dense[np.isinf(dense["n50"])].set_index("name"),
        "beyond": np.isinf(learnable["n50"]).sum(),
        "inside": inside.set_index(["grid", "lag", "name"])["n50"],
        "tried": tried(shares),
        "around": partial(around, sizes_tried(shares)),
        "rising": still_rising(of_grids),
        "least_rise": RISE,
        "updates": last["updates"].max(),
        "seeds": last["seeds"],
        "repeated": list(zip(plateaus["grid"], plateaus["lag"], plateaus["architecture"].map(labels), strict=True)),
        "rows": {
            f"{grid}, lag {lag}": rows.set_index("name").apply(n50_cell, axis=1)
            for (grid, lag), rows in last.groupby(["grid", "lag"], sort=False)
        },
    }


def sizes_tried(shares: pd.DataFrame) -> list[float]:
    """Numbers of sequences that were tried, but for ∞, in grids of one lag at a time."""
    return sorted(float(name.removeprefix("N = ")) for name in size_columns(shares[shares["grid"] != "six_lags"])[:-1])


def tried(shares: pd.DataFrame) -> tuple[float, float]:
    """The smallest and the largest N that were tried, but for ∞, in grids of one lag at a time."""
    sizes = sizes_tried(shares)
    return sizes[0], sizes[-1]


def around(sizes: Sequence[float], n50: float) -> str:
    """The two numbers that were tried between which N₅₀ is interpolated, in words.

    >>> around([2, 6, 25], 7.5)
    '6 to 25'
    """
    place = int(np.searchsorted(sizes, n50))
    return f"{sizes[place - 1]:g} to {sizes[place]:g}"


def still_rising(half_learned: pd.DataFrame) -> int:
    """Number of settings that do not learn whose r/c from N = ∞ rose over the second half of the updates."""
    looks = half_learned.pivot(index=SETTING, columns="updates", values="fresh_share")
    never = last_look(half_learned).set_index(SETTING)["learned"] < MOST_SEEDS
    rises = (looks.iloc[:, -1] - looks.iloc[:, 0])[never.reindex(looks.index)]
    return int((rises > RISE).sum())
