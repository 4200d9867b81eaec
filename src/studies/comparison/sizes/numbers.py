"""Orders of cells at several sizes, for the page."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.report.style import Tables
from studies.comparison.sizes.orders import FULL

QUARTER, WHOLE = 500, 2000
"""Two sizes at which all tasks were raced, in parameters."""


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: ρ by task and two sizes; by task and size scores, places and parameters.

    `full` is ρ of cells that fill both sizes, `low` to `high` its interval, `widest` the one between the smallest and
    the largest size of a task, and `quarter` ρ of all cells between `QUARTER` and `WHOLE`. `changed` names tasks whose
    best cell differs between these, and `gains` has what the mean score gains. `level` names cells besides the best
    whose interval reaches its own at a task and size, and `failed` quantities of failed expectations.
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
    ends = sizes.size().reset_index().groupby("task")["size"].agg(["min", "max"])
    widest = pd.MultiIndex.from_frame(ends.reset_index())
    expected = tables["orders_expected"]
    return {
        "tasks": table["task"].unique().tolist(),
        "changed": sorted(of_quarter.index[of_quarter["best_smaller"] != of_quarter["best_larger"]]),
        "gains": of_quarter["gain"],
        "rho": orders["correlation"],
        "full": orders["full_correlation"],
        "widest": orders["full_correlation"].reindex(widest).set_axis(ends.index),
        "quarter": of_quarter["correlation"],
        "low": orders["full_low"],
        "high": orders["full_high"],
        "best": table[table["rank"] == 1].set_index(["task", "size"])["name"],
        "level": lambda task, size: sorted(level[level.index == (task, size)]),
        "place": of_cells["rank"],
        "score": of_cells["score"],
        "parameters": of_cells["parameters"],
        "means": sizes["score"].mean(),
        "edges": sizes["edge"].sum(),
        "small": is_small.groupby([table["task"], table["size"]]).sum(),
        "cells": table["name"].nunique(),
        "expected": expected,
        "failed": expected.loc[expected["verdict"] == "no", "quantity"].tolist(),
    }
