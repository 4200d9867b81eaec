"""Lags that cells learn, and whether N̂ before training says so, for the page."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from learnability.report.style import Tables

HALF = 0.5
"""Share of the coefficient from which a lag counts as learned."""


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: `learners` of the longest lag, and how often N̂ goes with what is learned.

    `right` is the share of pairs in which it does, `commoner` the share in which the commoner answer at their lag does.
    `twice` has the sequences from which a cell learns the longest lag with twice as many updates.
    """
    table = tables["lags"].assign(learned=lambda rows: rows["share_end"] >= HALF)
    longest = table[table["lag"] == table["lag"].max()].sort_values("share_end", ascending=False, kind="stable")
    pairs = table.dropna(subset=["needed_start"])
    is_seen, is_learned = pairs["needed_start"] <= np.log10(pairs["trained_on"]), pairs["learned"]
    by_lag = is_learned.groupby(pairs["lag"]).transform("mean")
    further = tables["n50_longer"][lambda rows: rows["lag"] == rows["lag"].max()].set_index("architecture")
    names = longest["architecture"].map(labels)[longest["learned"]]
    return {
        "twice": further["n50_twice"].rename(index=labels),
        "longest": longest["lag"].iloc[0],
        "cells": len(longest),
        "learners": names.tolist(),
        "gated": names[longest["family"] == "gates"].tolist(),
        "sequences": table["trained_on"].iloc[0],
        "pairs": len(pairs),
        "right": (is_seen == is_learned).mean(),
        "commoner": by_lag.where(by_lag >= HALF, 1 - by_lag).mean(),
        "shares": longest.set_index(longest["architecture"].map(labels))["share_end"],
        "unseen": (~is_seen).sum(),
        "learned_unseen": (~is_seen & is_learned).sum(),
    }
