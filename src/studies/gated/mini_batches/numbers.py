"""Section 8.1: noise of a batch's gradient, and losses by batch size, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.gated.mini_batches.measure import EPOCHS, TABLES, UPDATES


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: medians over seeds, losses and rates by batch size.

    `at_smallest` are losses after as many sequences, at the best rate of the smallest batch.
    """
    noise, slopes, losses, curves = (tables[name] for name in TABLES)
    medians = losses.groupby(["compared", "batch_size"])[["loss", "rate"]].median()
    in_epochs = losses[losses["compared"] == EPOCHS]
    smallest = in_epochs[in_epochs["batch_size"] == in_epochs["batch_size"].min()]
    at_best = curves[(curves["rate"] == smallest["rate"].median()) & (curves["epoch"] == in_epochs["epoch"].max())]
    return {
        "seeds": noise["seed"].nunique(),
        "parameters": noise["parameters"].iloc[0],
        "power": slopes[["slope", "slope_low", "slope_high"]].median(),
        "bias": noise["bias"].max(),
        "variance": noise.groupby("batch_size")["variance"].median(),
        "equal_sequences": medians.loc[EPOCHS],
        "equal_updates": medians.loc[UPDATES],
        "at_smallest": at_best.groupby("batch_size")["loss"].median(),
        "largest_rate": curves["rate"].max(),
        "full": noise["batch_size"].max(),
    }
