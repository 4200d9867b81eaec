"""Orders of cells at several sizes, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: of each two sizes of a task ρ and the best cells, and places and means by task."""
    table = tables["by_size"].assign(name=lambda rows: rows["architecture"].map(labels))
    orders = tables["orders"].set_index(["task", "smaller", "larger"])
    best = table[table["rank"] == 1].set_index(["task", "size"])
    return {
        "rho": orders["correlation"],
        "low": orders["correlation_low"],
        "shared": orders["shared"],
        "gain": orders["gain"],
        "best": best["name"],
        "place": table.set_index(["task", "size", "name"])["rank"],
        "score": table.set_index(["task", "size", "name"])["score"],
        "families": table.groupby(["task", "size", "family"])["score"].mean(),
        "edges": table.groupby(["task", "size"])["edge"].sum(),
        "cells": table["name"].nunique(),
        "expected": tables["orders_expected"],
    }
