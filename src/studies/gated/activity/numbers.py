"""What penalties on activations do, for the page."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from studies.gated.activity.measure import TABLES


def numbers(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: medians by task and network, and gradients over those without a penalty, `times`."""
    units, gradients, shares, _ = (
        tables[name].assign(name=tables[name]["architecture"].map(labels)) for name in TABLES
    )
    longest = gradients["lag"].max()
    sizes = gradients[gradients["lag"] == longest].pivot(index=["task", "seed"], columns="name", values="gradient")
    return {
        "longest": longest,
        "of": units.groupby(["task", "name"])[["saturated", "cell", "validation_loss"]].median(),
        "times": sizes.drop(columns="LSTM").div(sizes["LSTM"], axis=0).groupby("task").median(),
        "share": shares.groupby("name")["share"].mean(),
    }
