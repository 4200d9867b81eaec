"""Ranks of cells over tasks, for the page."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import pandas as pd

from learnability.report.style import Tables

TOP = 0.25
"""Share of the cells that counts as the top."""


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: ranks and scores by cell, its places in order, and Spearman's ρ of each two tasks.

    `near` counts cells besides the leader whose interval reaches its own; `worst_at` has the task of the worst place.
    `first_without` has the cell of the best mean rank, by the task that is left out.
    """
    cells = tables["overall"].assign(name=lambda rows: rows["architecture"].map(labels)).set_index("name")
    table = tables["performance"].assign(name=lambda rows: rows["architecture"].map(labels))
    by_task = table.pivot_table("score", "name", "contest")
    agree = {pair: by_task[list(pair)].corr("spearman").iloc[0, 1] for pair in combinations(by_task, 2)}
    lowest = cells["score_low"][cells["score"] == cells["score"].max()].max()
    ranks = table.pivot(index="name", columns="contest", values="rank")
    return {
        "first_without": pd.Series({task: ranks.drop(columns=task).mean(axis=1).idxmin() for task in ranks}),
        "at_recall": by_task["recall"] if "recall" in by_task else pd.Series(dtype=float),
        "near": int((cells["score_high"] >= lowest).sum()) - 1,
        "worst_at": table.loc[table.groupby("name")["rank"].idxmax()].set_index("name")["contest"],
        "places": table.groupby("name")["rank"].agg(sorted),
        **{column: cells[column] for column in ("score", "rank", "best", "worst")},
        "top": round(TOP * len(cells)),
        "agree": agree,
    }
