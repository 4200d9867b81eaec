"""Delays over which networks copy and denoise, each trained at its delay, for the page."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.report.style import Tables
from studies.attention.trained_tables import MOST, NEAR


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: the `longest` delay that each network learned, by task, and how much was measured."""
    tables_by_task = {"copy": tables["copied"], "denoise": tables["denoised"]}
    cells = pd.concat([table.assign(task=task) for task, table in tables_by_task.items()], ignore_index=True)
    cells = cells.assign(model=cells["architecture"].map(labels))
    results, blank = cells[cells["seeds"] > 0], cells[cells["core_hours"].notna()]
    longest = results[results["measured"] >= MOST].groupby(["task", "model"])["delay"].max()
    copies = results[results["task"] == "copy"]
    beside = results.dropna(subset="paper")
    by_cell = results.set_index(["task", "model", "delay"])
    conclusive = beside[beside["conclusive"].eq(True)]
    as_printed, by_code = (beside.loc[beside["recipe"] == recipe, "updates"] for recipe in ("printed", "authors_code"))
    usual = as_printed.mode()[0]
    several = beside[beside["seeds"] > 1].assign(width=lambda rows: rows["high"] - rows["low"])
    return {
        "copy": longest["copy"].sort_values(ascending=False),
        "denoise": longest["denoise"].sort_values(ascending=False),
        "tried": results.groupby(["task", "model"])["delay"].max(),
        "at_longest": copies[copies["delay"] == longest["copy"].max()].set_index("model"),
        "farthest": copies["delay"].max(),
        "recall": by_cell["measured"],
        "beside": len(beside),
        **{name: by_cell[name] for name in ("paper", "updates", "seeds", "diverged")},
        "decided": len(conclusive),
        "near": ((conclusive["measured"] - conclusive["paper"]).abs() <= NEAR).sum(),
        "near_of_all": ((beside["measured"] - beside["paper"]).abs() <= NEAR).sum(),
        "open": len(beside) - len(conclusive),
        "widest": several.sort_values("width").iloc[-1],
        "single": (beside["seeds"] == 1).sum(),
        "as_printed": as_printed,
        "by_code": by_code,
        "usual": usual,
        "prolonged": (as_printed > usual).sum(),
        "blank": len(blank),
        "hours": blank["core_hours"].sum(),
    }
