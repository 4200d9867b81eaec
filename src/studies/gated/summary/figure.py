"""All cells by one method: what they learn, how far they see, what they remember; Section 18 of the notes."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import label_point
from learnability.report.style import GREY, Style, Tables, conclude, heading, legend
from learnability.windows.reach import HALF

KINDS = {
    "learned": ("share", {"share": "o"}),
    "lag": ("steps", {"start": "|", "learned": "o"}),
    "memory": ("steps", {"capacity_start": "|", "capacity": "o"}),
}
"""The unit of each panel, and its columns by their marker: what is before training, and what is after it."""
APART = 0.36
"""Distance of the two marks of a row, in rows: so a range is of the mark that it crosses."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `cells` of `studies.gated.summary.measure`."""
    table = tables["cells"].iloc[::-1].reset_index(drop=True)
    figure, axes = style.panels(len(KINDS), height_mm=12 + 5 * len(table))
    for place, (ax, (words, (unit, columns))) in enumerate(zip(axes, KINDS.items(), strict=True)):
        _rows(ax, table, columns, style)
        names = [style.labels[name] for name in table["architecture"]] if place == 0 else []
        ax.set_yticks(range(len(table)), names or [""] * len(table))
        heading(ax, words, ncols=0)
        ax.set(xlabel=unit, ylim=(-0.7, len(table) - 0.3))
        ax.set_xlim(left=min(0, ax.get_xlim()[0]))
    for row, cell in enumerate(table.to_dict("records")):
        low, high, colour = cell["share_low"], cell["share_high"], style.colours[cell["architecture"]]
        at, aside = ((low, row), (-4, 0)) if low > HALF / 2 else ((high, row), (4, 0))
        label_point(axes[0], f"{cell['share']:.2f}", at, aside, color=colour)
    axes[0].axvline(HALF, color=GREY, linewidth=0.7, linestyle="--", zorder=0)
    conclude(figure, "The RNN, orth-RNN, expRNN and ConstGate learn most and remember longest")
    marks = [
        Line2D(
            [], [], color=GREY, marker="|", markersize=4.5, linestyle="", label="upper, before training: seen, recalled"
        ),
        Line2D(
            [], [], color=GREY, marker="o", markersize=3, linestyle="", label="lower, after it: half learned, recalled"
        ),
        Line2D([], [], color=GREY, linewidth=0.7, label="range over seeds of the mark on it"),
    ]
    legend(figure, *marks)
    return figure


def _rows(ax: Axes, table: pd.DataFrame, columns: dict[str, str], style: Style) -> None:
    """A row for each cell, in its colour, with the least and the greatest of seeds; a line between families.

    Of two columns the first is above the middle of the row, the second below.
    """
    heights = APART * (np.arange(len(columns))[::-1] - (len(columns) - 1) / 2)
    for row, cell in enumerate(table.to_dict("records")):
        colour = style.colours[cell["architecture"]]
        for height, (name, marker) in zip(row + heights, columns.items(), strict=True):
            ax.plot(cell[name], height, marker=marker, color=colour, markersize=3 if marker == "o" else 4.5)
            ax.hlines(height, cell[f"{name}_low"], cell[f"{name}_high"], color=colour, linewidth=0.7)
    changes = np.flatnonzero(table["family"].to_numpy()[1:] != table["family"].to_numpy()[:-1])
    for place in changes:
        ax.axhline(place + 0.5, color="0.85", linewidth=0.6, zorder=0)
