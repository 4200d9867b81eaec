"""N₅₀ by cell and lag, and how well numbers before training order cells by it, for the page."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: N₅₀ by lag and cell, how many cells have one, by lag, and ρ by number and lag."""
    table = tables["half_learned"].assign(name=lambda rows: rows["architecture"].map(labels))
    correlations, longer = tables["n50_predictions"], tables["n50_longer"]
    of_lags = correlations[correlations["of"] == "one lag"].set_index(["number", "lag"]).sort_index()
    overall = correlations[correlations["of"] != "one lag"].set_index(["number", "of"]).sort_index()
    twice = longer.assign(name=longer["architecture"].map(labels)).set_index(["lag", "name"]).sort_index()
    needed, is_learned = 10.0 ** table["needed_start"], np.isfinite(table["n50"])
    inside = is_learned & (table["n50"] > 0)
    return {
        "needed": needed.set_axis(table.set_index(["lag", "name"]).index).sort_index(),
        "n50": table.set_index(["lag", "name"])["n50"].sort_index(),
        "cells": table["name"].nunique(),
        "raced": tables["overall"]["architecture"].nunique(),
        "seeds": table["seeds"].iloc[0],
        "smallest": table["smallest"].iloc[0],
        "sequences": table["trained_on"].iloc[0],
        "at_once": (table["n50"] == 0).groupby(table["lag"]).sum(),
        "learned": is_learned.groupby(table["lag"]).sum(),
        "inside": inside.sum(),
        "smaller": (table["n50"] < needed)[inside].sum(),
        "unlearned": (~is_learned).sum(),
        "promised": (~is_learned & (needed <= table["trained_on"])).sum(),
        "rho": of_lags["correlation"],
        "overall": overall["correlation"],
        "low": overall["correlation_low"],
        "high": overall["correlation_high"],
        "before": twice["n50"],
        "twice": twice["n50_twice"],
        "expected": tables["n50_expected"]["verdict"].tolist(),
    }
