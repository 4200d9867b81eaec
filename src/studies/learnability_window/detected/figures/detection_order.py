"""Sequences that it takes to detect the farthest lag of the task, at each stored epoch; all architectures together."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learnability.report.panels import by_architecture, epoch_axis, plain_log, seed_band
from learnability.report.style import BAND, GREY, Style, Tables, conclude, heading, legend
from studies.learnability_window.groups import ROLES
from studies.learnability_window.tables.through_training import by_seed_in_order, farthest_lag

KINDS = ("training_windows", "training_responses")
HIGHEST = 1e100
"""Value at which an N̂ of ∞ is drawn."""
LATER, LARGEST = 2, 1e5
"""The epoch from which the second panel shows them, and up to how many, so that gates can be told apart."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `training_windows` and `training_responses`: over all epochs, then the `LATER` ones."""
    rows = farthest_lag(*(tables[name] for name in KINDS))
    rows = rows.assign(needed=np.exp(rows["log_sample_complexity"].clip(upper=np.log(HIGHEST))))
    lag, sequences, last = rows["lag"].iloc[0], rows["sequences"].max(), int(rows["epoch"].max())
    bunches, roles = style.bunches(), {style.roles.get(name, ""): name for name in reversed(style.architectures)}
    order = [roles[role] for role in ROLES if role in roles]
    count = 2 * len(bunches) + (len(order) == len(ROLES))
    figure, axes = style.panels(count, count if count <= 3 else 0, height_mm=62)
    if len(order) == len(ROLES):
        _seeds_in_order(axes[0], pd.concat(by_seed_in_order(rows, order)[1], axis=1).all(axis=1))
    for names, (whole, later) in zip(bunches, axes[count % 2 :].reshape(-1, 2), strict=True):
        of_names = rows[rows["architecture"].isin(names)]
        for ax, table in ((whole, of_names), (later, of_names[of_names["epoch"] >= min(LATER, last)])):
            for architecture, curve in by_architecture(table, style):
                if len(curve):
                    seed_band(ax, curve, "epoch", "needed", architecture, style, markevery=1)
            ax.axhline(sequences, color=GREY, linewidth=0.7, linestyle="--", zorder=0)
            sizes = [*table["needed"], sequences]
            largest = 2 * max(sizes)
            near = ax is later and table["needed"].min() < LARGEST < largest
            ax.set_ylim(min(sizes) / 2, LARGEST if near else largest)
            plain_log(ax, "y")
            epoch_axis(ax, last)
            ax.set_ylabel("sample complexity N̂")
        heading(whole, f"to detect lag {lag}; dashed: {sequences} measured")
        if last > LATER:
            later.set_xlim(left=0.9 * LATER)
        heading(later, f"the same, from epoch {min(LATER, last)} on{f', up to {LARGEST:,.0f}' if near else ''}")
    conclude(figure, "The published order of gates comes early in training, and goes")
    legend(figure, *style.handles(), BAND)
    return figure


def _seeds_in_order(ax: Axes, in_order: "pd.Series[bool]") -> None:
    """Bars of the seeds in which the whole order holds, one for each stored epoch."""
    counts, seeds = in_order.groupby("epoch").sum(), in_order.groupby("epoch").size().max()
    places = range(len(counts))
    ax.bar(places, counts, color="0.35")
    ax.set_xticks(places, [f"{epoch}" for epoch in counts.index], rotation=90)
    ax.set_yticks(range(seeds + 1))
    ax.set(xlabel="stored epoch", ylabel="seeds in the published order")
    heading(ax, f"seeds in order, of {seeds}")
