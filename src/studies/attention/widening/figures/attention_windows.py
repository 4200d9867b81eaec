"""N̂ of each lag before training, and the share of it that is learned, with attention and without."""

from dataclasses import replace

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import name_rows, plain_log
from learnability.report.style import GREY, INTERVAL, Style, Tables, conclude, heading, legend, note
from learnability.windows.reach import HALF
from studies.attention.trained_tables import in_words
from studies.attention.window_tables import SAME_CELL, WITH

EDGES = -2, 8
"""log₁₀ N̂ beyond them lies on the edges."""
SPREAD = 0.6
"""Height that the lags of a network take, of its row."""
RIGHT = 1.85
"""Right end of the axis of shares, with room for words."""
LAGS = Line2D([], [], color="k", marker="o", markersize=3, linewidth=0.8, label="lags of the task, the shortest on top")
BEYOND = Line2D([], [], color="k", marker=">", markerfacecolor="w", linestyle="", label="beyond the edge, or ∞")
MEAN = Line2D([], [], color="k", marker="|", markersize=9, linestyle="", label="mean share over lags")
LIMITS = Line2D(
    [], [], color=GREY, linewidth=0.7, linestyle="--", label="sequences of training; half of the coefficient"
)


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from tables of `studies.attention.window_tables.tabulate`: a column for each experiment.

    A row for each network, those with attention below the one of the same cell, from `attention_windows`; and whether
    they learn less than it or more, from `attention_widens`.
    """
    table = tables["attention_windows"].dropna(subset="share")  # lags off the task have next to no gradient
    contrasts = tables["attention_widens"]
    contrasts = contrasts[contrasts["kind"] == SAME_CELL]
    cells = [_cell(name) for name in style.architectures]
    names = sorted(style.present(table), key=lambda name: (cells.index(_cell(name)), name in WITH))
    style = replace(style, architectures=names)
    experiments = table["experiment"].unique().tolist()
    figure, axes = style.panels(2 * len(experiments), len(experiments), height_mm=58, sharex="row", sharey=True)
    for (needed_ax, learned_ax), experiment in zip(axes.reshape(2, -1).T, experiments, strict=True):
        of_it = table[table["experiment"] == experiment]
        first, last = (of_it[of_it["epoch"] == epoch] for epoch in (0, of_it["epoch"].max()))
        powers = 10.0 ** first[["needed", "needed_low", "needed_high"]]
        _draw_lags(needed_ax, first.assign(**powers), "needed", style)
        needed_ax.axvline(of_it["trained_on"].iloc[0], color=GREY, linewidth=0.7, linestyle="--", zorder=0)
        plain_log(needed_ax, "x")
        needed_ax.set(xlabel="N̂(ℓ) before training", xlim=(10 ** (EDGES[0] - 0.3), 10 ** (EDGES[1] + 0.3)))
        if not first["needed"].notna().any():
            note(needed_ax, "N̂ cannot be told.")
        _draw_lags(learned_ax, last, "share", style)
        for place, name in enumerate(names):
            mean = last.loc[last["architecture"] == name, "share"].mean()
            learned_ax.plot(mean, place, marker="|", markersize=9, color=style.colours[name])
        learned_ax.axvline(HALF, color=GREY, linewidth=0.7, linestyle="--", zorder=0)
        learned_ax.set(xlabel="learned share r/c", xlim=(-0.1, RIGHT))
        learned_ax.set_xticks([0, 0.5, 1])
        _write_verdicts(learned_ax, contrasts[contrasts["experiment"] == experiment], style)
        for ax in (needed_ax, learned_ax):
            heading(ax, in_words(experiment))
            name_rows(ax, names, style)
    conclude(figure, "Adding attention eases detection of the longest lag at the start, not always learning")
    legend(figure, LAGS, BEYOND, INTERVAL, MEAN, LIMITS)
    return figure


def _write_verdicts(ax: Axes, contrasts: pd.DataFrame, style: Style) -> None:
    """Write beside each network with attention whether it learns less than the one of the same cell, or more."""
    for row in contrasts.to_dict("records"):
        verdict = "less" if row["share_high"] < 0 else "more" if row["share_low"] > 0 else ""
        words = f"{verdict} than {style.labels[row['without']]}" if verdict else "unclear"
        place = list(style.architectures).index(row["with"])
        ax.text(RIGHT, place, words, color=style.colours[row["with"]], ha="right", va="center")


def _cell(name: str) -> str:
    """The network of the same cell without attention."""
    return WITH.get(name, name)


def _draw_lags(ax: Axes, rows: pd.DataFrame, quantity: str, style: Style) -> None:
    """A line through the lags of each network, with intervals; a value beyond the edges is a hollow arrow."""
    low, high = (10.0 ** EDGES[0], 10.0 ** EDGES[1]) if quantity == "needed" else (-np.inf, np.inf)
    for place, name in enumerate(style.architectures):
        curve = rows[rows["architecture"] == name].sort_values("lag")
        heights = place + (np.linspace(-SPREAD / 2, SPREAD / 2, len(curve)) if len(curve) > 1 else np.zeros(len(curve)))
        middle, start, end = curve[[quantity, f"{quantity}_low", f"{quantity}_high"]].clip(low, high).to_numpy().T
        colour = style.colours[name]
        ax.plot(middle, heights, color=colour, linewidth=0.8, label=style.labels[name])
        ax.hlines(heights, np.fmin(start, end), end, color=colour, linewidth=0.5)
        beyond = curve[quantity].to_numpy() >= high
        ax.plot(middle[~beyond], heights[~beyond], color=colour, linestyle="", marker="o", markersize=3)
        ax.plot(
            middle[beyond], heights[beyond], color=colour, linestyle="", marker=">", markersize=4, markerfacecolor="w"
        )
