"""Delays over which networks copy and denoise, each trained at its delay, for the page."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.report.style import Tables
from studies.attention.trained_tables import MOST, NEAR


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: the `longest` delay that each network learned, by task, and how much was measured."""
    both = {"copy": tables["copied"], "denoise": tables["denoised"]}
    cells = pd.concat([table.assign(task=task) for task, table in both.items()], ignore_index=True)
    cells = cells.assign(model=cells["architecture"].map(labels))
    measured, blank = cells[cells["seeds"] > 0], cells[cells["core_hours"].notna()]
    longest = measured[measured["measured"] >= MOST].groupby(["task", "model"])["delay"].max()
    copied = measured[measured["task"] == "copy"]
    beside = measured.dropna(subset="paper")
    decided = beside[beside["conclusive"].eq(True)]
    several = beside[beside["seeds"] > 1].assign(width=lambda rows: rows["high"] - rows["low"])
    return {
        "copy": longest["copy"].sort_values(ascending=False),
        "denoise": longest["denoise"].sort_values(ascending=False),
        "tried": measured.groupby(["task", "model"])["delay"].max(),
        "at_longest": copied[copied["delay"] == longest["copy"].max()].set_index("model"),
        "recall": measured.set_index(["task", "model", "delay"])["measured"],
        "beside": len(beside),
        "seeds": measured.set_index(["task", "model", "delay"])["seeds"],
        "diverged": measured.set_index(["task", "model", "delay"])["diverged"],
        "decided": len(decided),
        "near": ((decided["measured"] - decided["paper"]).abs() <= NEAR).sum(),
        "open": len(beside) - len(decided),
        "widest": several.sort_values("width").iloc[-1],
        "single": (beside["seeds"] == 1).sum(),
        "blank": len(blank),
        "hours": blank["core_hours"].sum(),
    }
