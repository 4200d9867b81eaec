"""Saturation, gradients and losses with penalties on activations, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.gated.activity.measure import TABLES


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: medians over seeds by task and label; gradients are over those without penalty."""
    units, gradients, shares, _ = (tables[name] for name in TABLES)
    medians = units.assign(name=units["architecture"].map(labels)).groupby(["task", "name"])
    longest = gradients["lag"].max()
    farthest = gradients[gradients["lag"] == longest]
    sizes = farthest.pivot(index=["task", "seed"], columns="architecture", values="gradient").rename(columns=labels)
    return {
        "lag": longest,
        "saturated": medians["saturated"].median(),
        "cell": medians["cell"].median(),
        "output_gate": medians["output_gate"].median(),
        "loss": medians["validation_loss"].median(),
        "gradients": sizes.drop(columns="LSTM").div(sizes["LSTM"], axis=0).groupby("task").median().stack(),
        "learned": shares.groupby("architecture")["share"].mean(),
    }
