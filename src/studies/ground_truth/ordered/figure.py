"""Rank correlations over architectures of what gradients give with N₅₀."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learnability.report.panels import label_point
from learnability.report.style import GREY, Style, Tables, conclude, heading
from studies.ground_truth.contest import ALL

MOMENTS = {"start": "before training", "mean": "averaged over training"}
"""Moments that are drawn, by the ending of a candidate's name."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `contest`, of both halves together: the largest correlation before training on top."""
    contest = tables["contest"]
    table = contest[contest["half"] == ALL].set_index("candidate")
    by_moment = {moment: _at(table, moment) for moment in MOMENTS}
    names = by_moment["start"]["order"].sort_values(na_position="first").index
    figure, axes = style.panels(len(MOMENTS), height_mm=62, sharex=True, sharey=True)
    for ax, (moment, words) in zip(axes, MOMENTS.items(), strict=True):
        _dots(ax, by_moment[moment].loc[names])
        heading(ax, words)
    conclude(figure, "No quantity surely orders architectures as they learn; gradient variance tends to reverse it")
    return figure


def _at(table: pd.DataFrame, moment: str) -> pd.DataFrame:
    """Rows of candidates at a moment, by their names without it."""
    rows = table[table.index.str.endswith(f", {moment}")]
    return rows.set_axis(rows.index.str.removesuffix(f", {moment}"))


def _dots(ax: Axes, table: pd.DataFrame) -> None:
    places = range(len(table))
    ax.axvline(0, color=GREY, linewidth=0.7, linestyle="--", zorder=0)
    ax.hlines(places, table["order_low"], table["order_high"], color="k", linewidth=0.8)
    ax.plot(table["order"], places, "ko", markersize=3)
    for place, row in enumerate(table.to_dict("records")):
        best = f" ({row['order_low']:.2f} to {row['order_high']:.2f})" if row["order"] == table["order"].max() else ""
        label_point(ax, f"{row['order']:.2f}{best}", (row["order"], place), (0, 4))
    ax.set_ylim(top=len(table) - 0.3)
    ax.set_yticks(places, table.index.str.replace("_", " "))
    ax.set(xlim=(-1.15, 1.15), xlabel="rank correlation with N₅₀ over architectures", ylabel="quantity")
