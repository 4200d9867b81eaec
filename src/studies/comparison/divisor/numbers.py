"""Scores and learned lags with and without a common divisor, for the page."""

import math
from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: gains by cell, and the cells that learn the longest lag of each task.

    `surely` counts cells whose interval with a divisor lies above the one without, `surely_less` the reverse.
    """
    table = tables["divisor"].assign(name=lambda rows: rows["architecture"].map(labels)).set_index("name")
    lags, rivals = tables["divisor_lags"], table.sort_values("gain", ascending=False, kind="stable")
    without, with_divisor = lags["contest"].unique()
    steps = lags.groupby("contest")["lag"].unique()
    return {
        "cells": len(table),
        "divisor": math.gcd(*map(int, steps[with_divisor])),
        "longest": {"without": steps[without].max(), "with": steps[with_divisor].max()},
        "learners": {
            "without": table.index[table["longest"]].tolist(),
            "with": table.index[table["longest_divisor"]].tolist(),
        },
        "learned": lags.groupby("contest")["learned"].mean().rename({without: "without", with_divisor: "with"}),
        "gain": rivals["gain"],
        "median": table["gain"].median(),
        "surely": (table["score_low_divisor"] > table["score_high"]).sum(),
        "surely_less": (table["score_high_divisor"] < table["score_low"]).sum(),
        "order": table["score"].corr(table["score_divisor"], "spearman"),
        "scores": {"without": table["score"], "with": table["score_divisor"]},
    }
