"""Rank correlations of numbers before training with scores, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: ρ with its interval, `low` and `high`, by number and task."""
    table = tables["foretold"].set_index(["number", "contest"])
    other_tasks = table[table["source"] != table.index.get_level_values("contest")]
    return {
        "rho": table["correlation"],
        "low": table["correlation_low"],
        "high": table["correlation_high"],
        "surely": sorted(other_tasks.index[other_tasks["correlation_low"] > 0]),
    }
