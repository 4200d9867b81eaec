"""N₅₀ of larger networks over N₅₀ of smaller ones, in sequences and in steps at which the lag can be learned."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import label_point, level_labels, name_rows, plain_log
from learnability.report.style import GREY, Style, Tables, conclude, heading, legend

COUNTS = {"ratio": "counted in sequences", "steps_ratio": "counted in steps from which a lag can be learned"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `size_ratios`, the architectures that learn the lag at both sizes."""
    ratios = tables["size_ratios"].dropna().set_index("architecture")
    figure, axes = style.panels(len(COUNTS), height_mm=50, sharex=True, sharey=True)
    for ax, (column, words) in zip(axes, COUNTS.items(), strict=True):
        _ratios(ax, ratios, column, style)
        heading(ax, words)
    conclude(figure, "Whether networks of twice the units and steps need fewer sequences is undecided")
    legend(figure, Line2D([], [], color="k", linewidth=1, label="95 % interval"))
    return figure


def _ratios(ax: Axes, ratios: pd.DataFrame, column: str, style: Style) -> None:
    """A row for each architecture: the ratio with its number, and its interval."""
    ax.axvline(1, color=GREY, linewidth=0.7, linestyle="--", zorder=0)
    for place, (name, row) in enumerate(ratios.iterrows()):
        look: dict[str, Any] = {"color": style.colours[str(name)]}
        ax.hlines(place, row[f"{column}_low"], row[f"{column}_high"], linewidth=1, **look)
        ax.plot(row[column], place, marker="o", markersize=4, **look)
        label_point(ax, f"{row[column]:.2f}", (row[column], place), (0, 5), **look)
    plain_log(ax, "x")
    level_labels(ax)
    name_rows(ax, [str(name) for name in ratios.index], style)
    ax.set(xlabel="N₅₀ of the larger / N₅₀ of the smaller", ylabel="network")
