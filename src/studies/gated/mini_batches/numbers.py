"""Noise of gradients of mini-batches, and losses by batch size, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.gated.mini_batches.measure import EPOCHS, TABLES, UPDATES


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: the power of B by which the variance falls, and losses by batch size."""
    noise, slopes, losses = (tables[name] for name in TABLES[:3])
    by_size = losses.groupby(["compared", "batch_size"])[["loss", "rate"]].median()
    smallest = noise["batch_size"].min()
    return {
        "slope": slopes[["slope", "slope_low", "slope_high"]].median(),
        "bias": noise["bias"].max(),
        "variance": noise.loc[noise["batch_size"] == smallest, "variance"].median(),
        "after_sequences": by_size.loc[EPOCHS, "loss"],
        "after_updates": by_size.loc[UPDATES, "loss"],
        "rates": by_size.loc[EPOCHS, "rate"],
    }
