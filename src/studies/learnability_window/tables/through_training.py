"""Tables of a training: when each lag is detected, and by which gate, and when it is learned."""

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from studies.learnability_window.opening import EARLY, first_epochs
from studies.learnability_window.tables.labels import with_labels

LEARNED = (0.1, 0.5)
"""Shares of the coefficient at which a lag counts as learned, of those of `opening.SHARES`."""


def through_training(windows: pd.DataFrame, responses: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """N̂ of each lag of the task early in training, and when it is detected and learned; medians over seeds.

    Args:
        windows, responses: as of `learnability.windows.opening.first_epochs`.
        labels: names of architectures in print.

    Returns:
        log₁₀ N̂ at initialisation and at `EARLY`, or the last stored epoch before it, by either noise; the epochs at
        which a lag is first detected, by the noise of the whole gradient, in the sequences that were measured, and
        learned; r/c at the last two stored epochs; and in how many of the `seeds` a lag is ever half learned.
    """
    keys = ["optimizer", "architecture", "lag"]
    epochs = first_epochs(windows, responses)
    of_total = epochs[epochs["noise"] == "total"].groupby(keys, sort=False)
    real = windows[windows["control"] == "none"]
    columns = {}
    for epoch in (0, real.loc[real["epoch"] <= EARLY, "epoch"].max()):
        for noise in ("total", "matched"):
            rows = real[(real["epoch"] == epoch) & (real["noise"] == noise)].groupby(keys, sort=False)
            columns[f"log₁₀ N̂, epoch {epoch}, {noise}"] = rows["log_sample_complexity"].median() / np.log(10)
    texts = {"detected": "detected", **{f"learned_{least}": f"r/c ≥ {least:g}" for least in LEARNED}}
    columns |= {text: of_total[name].median() for name, text in texts.items()}
    share = responses.assign(share=responses["response"] / responses["coefficient"])
    for epoch in sorted(responses["epoch"].unique())[-2:]:
        columns[f"r/c, epoch {epoch}"] = share[share["epoch"] == epoch].groupby(keys)["share"].median()
    columns["half learned"] = of_total[f"learned_{LEARNED[-1]}"].agg(lambda first: np.isfinite(first).sum())
    table = pd.DataFrame(columns).assign(seeds=of_total.size()).dropna(subset="seeds")
    return with_labels(table.astype({"half learned": int, "seeds": int}).reset_index(), labels)


def farthest_lag(windows: pd.DataFrame, responses: pd.DataFrame) -> pd.DataFrame:
    """log₁₀ N̂ of the farthest lag of the task that was measured, in the noise of the whole gradient.

    Args:
        windows, responses: as of `learnability.windows.opening.first_epochs`.

    Returns:
        The rows of `windows` with a column `decades`.
    """
    total = windows[(windows["control"] == "none") & (windows["noise"] == "total")]
    task_rows = total[total["lag"].isin(responses.loc[responses["coefficient"] != 0, "lag"])]
    farthest = task_rows[task_rows["lag"] == task_rows["lag"].max()]
    return farthest.assign(decades=farthest["log_sample_complexity"] / np.log(10))


def by_seed_in_order(rows: pd.DataFrame, names: Sequence[str]) -> tuple[pd.DataFrame, "list[pd.Series[bool]]"]:
    """log₁₀ N̂ by epoch and seed, and where each architecture needs fewer sequences than the one before.

    Args:
        rows: of `farthest_lag`.
        names: architectures in order.
    """
    by_seed = rows.pivot_table("decades", ["epoch", "seed"], "architecture")[list(names)].dropna()
    return by_seed, [by_seed[after] < by_seed[before] for before, after in itertools.pairwise(names)]


def detection_order(
    windows: pd.DataFrame, responses: pd.DataFrame, labels: Mapping[str, str], order: Sequence[str]
) -> pd.DataFrame:
    """Order of architectures by the sequences that they need to detect the farthest lag, at each stored epoch.

    Args:
        windows, responses: as of `learnability.windows.opening.first_epochs`, of one optimizer.
        labels: names of architectures in print.
        order: architectures, that which is to need most sequences first.

    Returns:
        A row for each epoch: `lag`; log₁₀ N̂ and the tail index α̂ of each architecture, medians over seeds; in how
        many `seeds`, those that all architectures have, each needs fewer sequences than the one before, and in how many
        the whole order holds; and the factor between the largest and the smallest of the medians.
    """
    rows = farthest_lag(windows, responses)
    names = list(order)
    by_seed, fewer = by_seed_in_order(rows, names)
    by_epoch, columns = by_seed.groupby("epoch"), {}
    for name in names:
        columns[f"log₁₀ N̂, {labels[name]}"] = by_epoch[name].median()
    medians = pd.DataFrame(columns)
    of_tails = rows.pivot_table("alpha", "epoch", "architecture", aggfunc="median")
    columns |= {f"α̂, {labels[name]}": of_tails[name] for name in names}
    for (before, after), holds in zip(itertools.pairwise(names), fewer, strict=True):
        columns[f"{labels[after]} below {labels[before]}"] = holds.groupby("epoch").sum()
    columns["all in order"] = pd.concat(fewer, axis=1).all(axis=1).groupby("epoch").sum()
    columns["seeds"] = by_epoch.size()
    columns["factor of medians"] = 10 ** (medians.max(axis=1) - medians.min(axis=1))
    table = pd.DataFrame(columns).reset_index()
    table.insert(1, "lag", rows["lag"].iloc[0])
    return table
