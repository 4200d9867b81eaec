"""Sequences that it takes to detect the farthest lag of the task, at each stored epoch; all architectures together."""

import numpy as np
from matplotlib.figure import Figure

from learnability.report.panels import by_architecture, epoch_axis, plain_log, seed_band
from learnability.report.style import BAND, GREY, Style, Tables, heading, headline, legend
from studies.learnability_window.tables.through_training import farthest_lag

HIGHEST = 1e100
"""Value at which an N̂ of ∞ is drawn."""
LATER, LARGEST = 2, 1e5
"""The epoch from which the second panel shows them, and up to how many, so that gates can be told apart."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `training_windows` and `training_responses`: over all epochs, then the `LATER` ones."""
    rows = farthest_lag(tables["training_windows"], tables["training_responses"])
    rows = rows.assign(needed=np.exp(rows["log_sample_complexity"].clip(upper=np.log(HIGHEST))))
    lag, sequences, last = rows["lag"].iloc[0], rows["sequences"].max(), int(rows["epoch"].max())
    bunches = style.bunches()
    figure, axes = style.panels(2 * len(bunches), height_mm=56)
    for names, (whole, later) in zip(bunches, axes.reshape(-1, 2), strict=True):
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
        heading(whole, f"to detect lag {lag}; dashed: the {sequences} measured")
        if last > LATER:
            later.set_xlim(left=0.9 * LATER)
        heading(later, f"the same, from epoch {min(LATER, last)} on{f', up to {LARGEST:,.0f}' if near else ''}")
    headline(figure, "Sequences that it takes to detect the farthest lag through training")
    legend(figure, *style.handles(), BAND)
    return figure
