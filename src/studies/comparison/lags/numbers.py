"""Lags that cells learn, and whether N̂ before training says so, for the page."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from learnability.report.style import Tables

HALF = 0.5
"""Share of the coefficient from which a lag counts as learned."""


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: `learners` of the longest lag, and how often N̂ goes with what is learned."""
    table = tables["lags"].assign(learned=lambda rows: rows["share_end"] >= HALF)
    longest = table[table["lag"] == table["lag"].max()].sort_values("share_end", ascending=False, kind="stable")
    quoted = table.dropna(subset=["needed_start"])
    seen, learned = quoted["needed_start"] <= np.log10(quoted["trained_on"]), quoted["learned"]
    names = longest["architecture"].map(labels)[longest["learned"]]
    return {
        "longest": longest["lag"].iloc[0],
        "cells": len(longest),
        "learners": names.tolist(),
        "gated": names[longest["family"] == "gates"].tolist(),
        "sequences": table["trained_on"].iloc[0],
        "pairs": len(quoted),
        "right": (seen == learned).mean(),
        "commoner": max(learned.mean(), 1 - learned.mean()),
        "unseen": (~seen).sum(),
        "learned_unseen": (~seen & learned).sum(),
    }
