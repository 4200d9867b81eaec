"""Success on a larger grid of agents that learned on a small one, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.attention.games.paper import FRAMES
from studies.attention.trained_tables import MOST

CLOSE = 0.01
"""Difference of returns up to which one comes up to another; the paper prints two digits."""


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: agents that succeed on each grid, mean returns by model, and frames."""
    table = tables["games"].assign(model=lambda rows: rows["architecture"].map(labels))
    successes = table[table["train_success"] >= MOST]
    rows_of_paper = table.dropna(subset="train_paper")
    return {
        "published": len(rows_of_paper),
        "as_published": (rows_of_paper["train"] >= rows_of_paper["train_paper"] - CLOSE).sum(),
        "agents": len(table),
        "seeds": table["seeds"].max(),
        "learned": len(successes),
        "also": (successes["test_success"] >= MOST).sum(),
        "transferred": successes["test_success"],
        "grids": successes["trained_on"].unique().tolist(),
        "returns": table.groupby("model")[["train", "test"]].mean(),
        "frames": table["frames"].max(),
        "of_paper": FRAMES,
    }
