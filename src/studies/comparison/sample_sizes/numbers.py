"""N₅₀ by cell and lag, and how well numbers before training order cells by it, for the page."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: N₅₀ by lag and cell, `learned` and `inside` the N tried, and ρ by number and lag."""
    table = tables["half_learned"].assign(name=lambda rows: rows["architecture"].map(labels))
    learned, inside = np.isfinite(table["n50"]), np.isfinite(table["n50"]) & (table["n50"] > 0)
    correlations = tables["n50_predictions"]
    of_lags = correlations[correlations["of"] == "one lag"].set_index(["number", "lag"])
    overall = correlations[correlations["of"] != "one lag"].set_index(["number", "of"])
    longer = tables["n50_longer"].assign(name=lambda rows: rows["architecture"].map(labels)).set_index(["name", "lag"])
    ratio = table["n50"] / 10.0 ** table["needed_start"]
    return {
        "n50": table.set_index(["lag", "name"])["n50"],
        "family": table.set_index("name")["family"],
        "cells": table["name"].nunique(),
        "pairs": len(table),
        "learned": learned.sum(),
        "at_once": (table["n50"] == 0).sum(),
        "inside": table[inside].set_index(["lag", "name"])["n50"],
        "few": (table["n50"][learned] <= table["trained_on"][learned] / 10).sum(),
        "learned_by_lag": learned.groupby(table["lag"]).sum(),
        "ratio": ratio[inside],
        "seen_unlearned": (~learned & (10.0 ** table["needed_start"] <= table["trained_on"])).sum(),
        "unlearned": (~learned).sum(),
        "smallest": table["smallest"].iloc[0],
        "sequences": table["trained_on"].iloc[0],
        "rho": of_lags["correlation"],
        "low": of_lags["correlation_low"],
        "high": of_lags["correlation_high"],
        "overall": overall["correlation"],
        "overall_low": overall["correlation_low"],
        "overall_high": overall["correlation_high"],
        "before": longer["n50"],
        "twice": longer["n50_twice"],
        "verdicts": tables["n50_expected"]["verdict"].tolist(),
    }
