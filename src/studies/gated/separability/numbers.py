"""Shares of dichotomies that are linearly separable in the states of a random reservoir, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.gated.separability.measure import COARSE, INPUTS, LINEAR, RESERVOIR


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: medians over seeds.

    Returns:
        `separable` by units, the share of dichotomies that are separable in the states, `cover`, the share by Cover's
        formula, `half` as many units as points, and `apart`, its largest
        difference from Cover's formula; the share in the last `inputs`; and of the most units `linear` and `coarse`,
        with shares and dimensions.
    """
    table = tables["separability_shares"]
    medians = table.groupby(["reads", "units"])[["separable", "cover", "dimensions"]].median()
    states = medians.loc[RESERVOIR]
    half = int(table["points"].iloc[0]) // 2
    return {
        "seeds": table["seed"].nunique(),
        "half": half,
        "cover": states["cover"],
        "points": int(table["points"].iloc[0]),
        "dichotomies": int(table["dichotomies"].iloc[0]),
        "separable": states["separable"],
        "apart": float((states["separable"] - states["cover"]).abs().max()),
        "inputs": table.loc[table["reads"] == INPUTS, "separable"].median(),
        "linear": medians.loc[LINEAR],
        "coarse": medians.loc[COARSE].iloc[-1],
    }
