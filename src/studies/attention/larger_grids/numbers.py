"""Success on a larger grid of agents that learned on a small one, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.attention.games.paper import FRAMES
from studies.attention.trained_tables import MOST


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: agents that succeed on each grid, mean returns by model, and frames."""
    table = tables["games"].assign(model=lambda rows: rows["architecture"].map(labels))
    successes = table[table["train_success"] >= MOST]
    return {
        "agents": len(table),
        "seeds": table["seeds"].max(),
        "learned": len(successes),
        "also": (successes["test_success"] >= MOST).sum(),
        "returns": table.groupby("model")[["train", "test"]].mean(),
        "frames": table["frames"].max(),
        "of_paper": FRAMES,
    }
