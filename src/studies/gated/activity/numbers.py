"""Saturation, gradients and losses with penalties on activations, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.gated.activity.measure import TABLES


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: medians over seeds by task and label; gradients are over those without penalty.

    `by_seed` has these gradients, and `spread_loss` the losses on the delayed sum of the seed in which they differ
    most.
    """
    units, gradients, *_ = (tables[name] for name in TABLES)
    medians = units.assign(name=units["architecture"].map(labels)).groupby(["task", "name"])
    longest = gradients["lag"].max()
    farthest = gradients[gradients["lag"] == longest]
    sizes = farthest.pivot(index=["task", "seed"], columns="architecture", values="gradient").rename(columns=labels)
    by_seed = sizes.drop(columns="LSTM").div(sizes["LSTM"], axis=0)
    losses = units[units["task"] == "sum"].pivot(index="seed", columns="architecture", values="validation_loss")
    ratios = losses.max(axis=1) / losses.min(axis=1)
    return {
        "lag": longest,
        "saturated": medians["saturated"].median(),
        "cell": medians["cell"].median(),
        "output_gate": medians["output_gate"].median(),
        "loss": medians["validation_loss"].median(),
        "gradients": by_seed.groupby("task").median().stack(),
        "by_seed": by_seed,
        "spread_loss": losses[ratios == ratios.max()].stack(),
    }
