"""The table of a training: when each lag is detected in the gradient, and when it is learned."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from studies.learnability_window.opening import EARLY, first_epochs
from studies.learnability_window.tables.labels import with_labels

LEARNED = (0.1, 0.5)
"""Shares of the coefficient at which a lag counts as learned, of those of `opening.SHARES`."""


def through_training(windows: pd.DataFrame, responses: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """At each lag of the task N̂ early in training, when it is detected, and when it is learned; medians over seeds.

    Args:
        windows, responses: as of `learnability.windows.opening.first_epochs`.
        labels: names of architectures in print.

    Returns:
        log₁₀ N̂ at initialisation and at `EARLY`, or the last stored epoch before it, by either noise; the epochs at
        which a lag is first detected, by the noise of the whole gradient, in the sequences that were measured, and
        learned.
    """
    keys = ["optimizer", "architecture", "lag"]
    epochs = first_epochs(windows, responses)
    of_total = epochs[epochs["noise"] == "total"].groupby(keys, sort=False)
    own = windows[windows["control"] == "none"]
    columns = {}
    for epoch in (0, own.loc[own["epoch"] <= EARLY, "epoch"].max()):
        for noise in ("total", "matched"):
            rows = own[(own["epoch"] == epoch) & (own["noise"] == noise)].groupby(keys, sort=False)
            columns[f"log₁₀ N̂, epoch {epoch}, {noise}"] = rows["log_sample_complexity"].median() / np.log(10)
    shown = {"detected": "detected", **{f"learned_{least}": f"r/c ≥ {least:g}" for least in LEARNED}}
    columns |= {text: of_total[name].median() for name, text in shown.items()}
    table = pd.DataFrame(columns).assign(seeds=of_total.size())
    return with_labels(table.dropna(subset="seeds").astype({"seeds": int}).reset_index(), labels)
