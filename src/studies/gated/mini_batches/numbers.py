"""Section 8.1: noise of a batch's gradient, and losses by batch size, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.gated.mini_batches.measure import EPOCHS, TABLES, UPDATES


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: medians over seeds, losses and rates by batch size."""
    noise, slopes, losses = (tables[name] for name in TABLES[:3])
    medians = losses.groupby(["compared", "batch_size"])[["loss", "rate"]].median()
    return {
        "power": slopes[["slope", "slope_low", "slope_high"]].median(),
        "bias": noise["bias"].max(),
        "variance": noise.groupby("batch_size")["variance"].median(),
        "equal_sequences": medians.loc[EPOCHS],
        "equal_updates": medians.loc[UPDATES],
        "full": noise["batch_size"].max(),
    }
