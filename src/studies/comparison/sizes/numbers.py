"""Orders of cells at several sizes, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.comparison.sizes.orders import FULL

QUARTER, WHOLE = 500, 2000
"""Two sizes at which all tasks were raced, in parameters."""


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: ρ by task and two sizes; by task and size scores, places and rates.

    `changed` names tasks whose best cell is another at `QUARTER` than at `WHOLE`, and `gains` has what the mean score
    gains between these; `quarter` is ρ between them, and `near` ρ of all sizes no farther apart. `level` names cells
    besides the best whose interval reaches its own at a task and size, and `failed` quantities of failed expectations.
    """
    table = tables["by_size"].assign(name=lambda rows: rows["architecture"].map(labels))
    orders = tables["orders"].set_index(["task", "smaller", "larger"]).sort_index()
    of_cells, sizes = table.set_index(["task", "size", "name"]).sort_index(), table.groupby(["task", "size"])
    lowest = table[table["rank"] == 1].groupby(["task", "size"])["score_low"].max().rename("lowest")
    rivals = table.merge(lowest, left_on=["task", "size"], right_index=True)
    rivals = rivals[(rivals["score_high"] >= rivals["lowest"]) & (rivals["rank"] > 1)]
    level = rivals.set_index(["task", "size"])["name"]
    is_small = table["parameters"] < FULL * table["size"]
    of_quarter = orders.xs((QUARTER, WHOLE), level=("smaller", "larger"))
    ratios = orders.index.get_level_values("larger") / orders.index.get_level_values("smaller")
    expected = tables["orders_expected"]
    return {
        "tasks": table["task"].unique().tolist(),
        "changed": sorted(of_quarter.index[of_quarter["best_smaller"] != of_quarter["best_larger"]]),
        "gains": of_quarter["gain"],
        "rho": orders["correlation"],
        "near": orders["correlation"][ratios <= WHOLE / QUARTER],
        "quarter": of_quarter["correlation"],
        "low": orders["correlation_low"],
        "high": orders["correlation_high"],
        "best": table[table["rank"] == 1].set_index(["task", "size"])["name"],
        "level": lambda task, size: sorted(level[level.index == (task, size)]),
        "place": of_cells["rank"],
        "score": of_cells["score"],
        "rate": of_cells["rate"],
        "means": sizes["score"].mean(),
        "edges": sizes["edge"].sum(),
        "small": is_small.groupby([table["task"], table["size"]]).sum(),
        "cells": table["name"].nunique(),
        "expected": expected,
        "failed": expected.loc[expected["verdict"] == "no", "quantity"].tolist(),
    }
