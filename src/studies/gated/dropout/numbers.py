"""Losses and noise with masks, for the page."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2` by kind of mask, medians over seeds.

    `noise` is with the weights trained without a mask, `adapted` with the weights trained under it.
    """
    losses, noise, shares = (tables[f"dropout_{name}"] for name in ("losses", "noise", "shares"))
    medians = losses.groupby("architecture").median(numeric_only=True)
    equal_weights = noise[noise["weights"] != "own"].set_index(["kind", "seed"])[["state", "change", "gradient"]]
    ratios = pd.DataFrame(equal_weights.loc["dropout"] / equal_weights.loc["variational_dropout"])
    return {
        "stopped": medians["least_validation_loss"],
        "least": losses.pivot(index="seed", columns="architecture", values="least_validation_loss"),
        "end": medians["validation_loss"],
        "training_loss": medians["training_loss"],
        "reliance": medians["largest_reliance"],
        "rate": medians["rate"].max(),
        "noise": equal_weights.groupby("kind").median(),
        "step_over_sequence": ratios.median(),
        "adapted": noise[noise["weights"] == "own"].groupby("kind")[["state", "change", "gradient"]].median(),
        "longest": shares["lag"].max(),
        "learned": shares[shares["lag"] == shares["lag"].max()].groupby("architecture")["share"].mean(),
    }
