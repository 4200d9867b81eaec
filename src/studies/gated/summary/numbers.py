"""What all cells have in common and what sets them apart, for the page."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

NEAR = 0.03
"""Share of the parameters that were asked for, within which sizes count as equal."""


def numbers(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: learned share, memory and windows of each cell, and what other rates would change."""
    table = tables["cells"].assign(name=lambda rows: rows["architecture"].map(labels)).set_index("name")
    rates = tables["cells_rates"].assign(name=lambda rows: rows["architecture"].map(labels))
    shares = rates.pivot(index="name", columns="rate", values="share")
    windows = table.dropna(subset=["start", "learned"])
    return {
        "share": table["share"],
        "best": table.groupby("family")["share"].idxmax(),
        "capacity": table["capacity"],
        "gain": table["gain"],
        "families": table["family"],
        "noise": table["noise"].dropna(),
        "blind": (windows["start"] < windows["learned"]).sum(),
        "further": (windows["start"] > windows["learned"]).sum(),
        "smaller": (table["miss"] < -NEAR).sum(),
        "miss": table["miss"],
        "numbers": table["numbers"],
        "edges": (rates["chosen"] & rates["edge"]).sum(),
        "cells": len(table),
        "range": shares.max(axis=1) - shares.min(axis=1),
        "leaders": {float(str(rate)): of_rate.idxmax() for rate, of_rate in shares.items()},
    }
