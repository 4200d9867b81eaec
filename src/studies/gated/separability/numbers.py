"""Separable shares, dimensions and Cover's formula, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.gated.separability.measure import COARSE, INPUTS, LINEAR, RESERVOIR


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: separable shares by units, and at most units of what they are compared with."""
    table = tables["separability_shares"]
    medians = table.groupby(["reads", "units"])[["separable", "cover", "dimensions"]].median()
    states = medians.loc[RESERVOIR]
    return {
        "states": states["separable"],
        "apart": (states["separable"] - states["cover"]).abs().max(),
        "inputs": medians.loc[INPUTS]["separable"].iloc[0],
        "coarse": medians.loc[COARSE].iloc[-1],
        "linear": medians.loc[LINEAR].iloc[-1],
        "half": states.index[states["separable"] >= 0.5][0],
        "points": table["points"].iloc[0],
        "dichotomies": table["dichotomies"].iloc[0],
    }
