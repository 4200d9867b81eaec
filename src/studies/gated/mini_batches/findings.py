"""Section 8.1: whether averaging over a mini-batch reduces the noise of gradients, and what it does to training."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, number
from learnability.report.style import Tables
from studies.gated.mini_batches.measure import EPOCHS, TABLES, UPDATES

NEAR = 0.1
"""Difference of a slope from -1 that counts as none, as in the claims."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """From variances, slopes and losses."""
    noise, slopes, losses = (tables[name] for name in TABLES[:3])
    slope, low, high = slopes[["slope", "slope_low", "slope_high"]].median()
    loss = losses.groupby(["compared", "batch_size"])["loss"].median()
    rates = losses.groupby(["compared", "batch_size"])["rate"].median()
    sizes = noise["batch_size"].unique().tolist()
    verdict = "Yes" if abs(slope + 1) <= NEAR else "In part" if slope < 0 else "No"
    full = sizes[-1]
    best = loss[EPOCHS].idxmin()
    return Finding(
        "Does a mini-batch give the full gradient with less noise, and does training gain by it?",
        f"""
            {verdict}: the variance of a batch's gradient falls as B to the power {number(slope)}, without bias.
        """,
        f"""
            The power has a 95 % interval of {number(low)} to {number(high)}, the median over seeds; the mean over the
            batches of an epoch differs from the full gradient by {number(noise["bias"].max())} of its size at most.
            A batch of one sequence has {number(noise.loc[noise["batch_size"] == sizes[0], "variance"].median())} times
            the squared full gradient as variance, before training.
            After as many sequences the loss is lowest at B = {best}: {number(loss[EPOCHS][best])}, compared with
            {number(loss[EPOCHS][full])} of the full gradient, which takes the fewest updates.
            After as many updates the losses are
            {_by_size(loss[UPDATES])}: {_averaging(loss[UPDATES])}
            Each batch size is taken at its best learning rate, from
            {number(rates[EPOCHS].iloc[0])} for B = {sizes[0]} to {number(rates[EPOCHS].iloc[-1])} for B = {full} after
            as many sequences.
        """,
        {},
        """
            `gated.exhibits.mini_batches.learning_rates`: at one rate for all sizes, large batches look worse than they
            are. And `updates` and `epochs`, at which losses are compared.
        """,
        ("", "mini_batches"),
        tuple(("", name) for name in TABLES),
    )


def _by_size(loss: "pd.Series[float]") -> str:
    return listed(f"{number(value)} (B = {size})" for size, value in loss.items())


def _averaging(loss: "pd.Series[float]") -> str:
    gained = loss.iloc[0] >= 1.1 * loss.iloc[-1]
    return "averaging over more sequences helps." if gained else "averaging over more sequences gains less than 10 %."
