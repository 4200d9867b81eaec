"""Rank correlations of numbers before training with scores, for the page."""

from collections.abc import Mapping
from typing import Any

from scipy import stats

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: ρ with its interval, `low` and `high`, by number and task.

    `surely` and `reversed` are of other tasks, with an interval above and below 0; at `unsure` tasks there is none.
    `without` has ρ of memory capacity at a task where any one family is left out.
    """
    table = tables["foretold"].set_index(["number", "contest"])
    other_tasks = table[table["source"] != table.index.get_level_values("contest")]
    is_sure = (table["correlation_low"] > 0) | (table["correlation_high"] < 0)
    by_task = is_sure.groupby(level="contest").any()
    cells = tables["memory"].set_index("architecture")
    scores = tables["performance"].pivot(index="architecture", columns="contest", values="score").reindex(cells.index)

    def without(task: str) -> list[float]:
        subsets = [cells["family"] != family for family in cells["family"].unique()]
        return [stats.spearmanr(cells["capacity_start"][rest], scores[task][rest]).statistic for rest in subsets]

    return {
        "cells": len(cells),
        "without": without,
        "rho": table["correlation"],
        "low": table["correlation_low"],
        "high": table["correlation_high"],
        "surely": sorted(other_tasks.index[other_tasks["correlation_low"] > 0]),
        "reversed": sorted(other_tasks.index[other_tasks["correlation_high"] < 0]),
        "unsure": sorted(by_task.index[~by_task]),
    }
