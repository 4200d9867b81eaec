"""Losses of stacks and how far back their layers see, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.gated.depth.measure import TABLES


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: `ratios`, the loss of one layer over the loss of stacks, by seed and layers.

    `in_order` says of each seed whether the time scales of the deepest trained stack rise with the layer.
    """
    layers, _, losses, shares, rates = (tables[name] for name in TABLES)
    by_layers = losses.pivot(index="seed", columns="layers", values="test_loss")
    trained = layers[(layers["moment"] == "trained") & (layers["layers"] == layers["layers"].max())]
    medians = layers.groupby(["moment", "layers", "layer"])[["context", "time_scale"]].median()
    return {
        "ratios": by_layers.rdiv(by_layers[1], axis=0).drop(columns=1),
        "context": medians["context"],
        "time_scale": medians["time_scale"],
        "in_order": trained.sort_values("layer")
        .groupby("seed")["time_scale"]
        .apply(lambda by_layer: by_layer.is_monotonic_increasing),
        "parameters": losses["parameters"],
        "learned": shares.groupby("architecture")["share"].mean(),
        "count": rates.groupby("architecture")["rate"].nunique().max(),
    }
