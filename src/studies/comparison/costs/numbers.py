"""Scores and costs, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.comparison.costs.fronts import front


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: costs by cell, and `fronts`, the cells that none beats, by rising cost.

    `for_each_parameter` are multiply-adds, and `means` mean scores with their intervals."""
    table = tables["costs"].assign(name=lambda rows: rows["architecture"].map(labels))
    costs = ("multiply_adds", "kept_bytes", "state")
    means = tables["overall"].assign(name=lambda rows: rows["architecture"].map(labels)).set_index("name")
    return {
        "means": means,
        "for_each_parameter": table.set_index("name").eval("multiply_adds / parameters"),
        "fronts": {cost: table[front(table, cost)].sort_values(cost)["name"].tolist() for cost in costs},
        "scanned": table[table["depth"] < table["depth"].max()].sort_values("score"),
        **{column: table.set_index("name")[column] for column in ("score", "parameters", *costs)},
    }
