"""Scores and costs, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.comparison.costs.fronts import front


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: costs by cell, and `fronts`, the cells that none beats, by rising cost."""
    table = tables["costs"].assign(name=lambda rows: rows["architecture"].map(labels))
    costs = ("multiply_adds", "kept_bytes", "state")
    return {
        "fronts": {cost: table[front(table, cost)].sort_values(cost)["name"].tolist() for cost in costs},
        "scanned": table[table["depth"] < table["depth"].max()].sort_values("score"),
        **{column: table.set_index("name")[column] for column in ("score", "parameters", *costs)},
    }
