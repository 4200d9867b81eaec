"""Parts that figures of the study share: cells in rows or columns, coloured by family."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import name_rows
from learnability.report.style import GREY, Style, legend

ROW_MM = 3.4
"""Height of a cell's row."""


def families_of(table: pd.DataFrame, style: Style) -> dict[str, str]:
    """The colour of each family, in the order of the architectures."""
    families = table.drop_duplicates("architecture").set_index("architecture")["family"]
    return {families[name]: style.colours[name] for name in reversed(style.architectures) if name in families}


def legend_of_families(figure: Figure, table: pd.DataFrame, style: Style, *further: Artist) -> None:
    """Families by their colours, and what else a figure marks."""
    colours = reversed(families_of(table, style).items())
    dots: list[Artist] = [
        Line2D([], [], color=colour, marker="o", markersize=3, linestyle="", label=family) for family, colour in colours
    ]
    legend(figure, *dots, *further)


def label_rows(ax: Axes, names: Sequence[str], style: Style, is_labelled: bool) -> None:
    """A row for each cell, the first on top."""
    name_rows(ax, names, style)
    ax.tick_params(axis="y", labelleft=is_labelled)
    ax.grid(axis="x", color="0.92", linewidth=0.6)
    ax.set_axisbelow(True)


def label_columns(ax: Axes, names: Sequence[str], style: Style) -> None:
    """A column for each cell, named below in the colour of its family."""
    ax.set_xticks(np.arange(len(names)) + 0.5, [style.labels[name] for name in names], rotation=90)
    for tick, name in zip(ax.get_xticklabels(), names, strict=True):
        tick.set_color(style.colours[name])


def connect(ax: Axes, table: pd.DataFrame, names: Sequence[str], ends: Mapping[str, str], style: Style) -> None:
    """Two numbers of each cell in its row, joined by a line; `ends` are columns and their markers."""
    rows = table.set_index("architecture")
    first, last = ends
    for place, name in enumerate(names):
        if name in rows.index:
            colour, values = style.colours[name], rows.loc[name]
            ax.hlines(place, values[first], values[last], color=colour, linewidth=0.9)
            for column, marker in ends.items():
                face = "white" if marker == "o" and column == first else colour
                ax.plot(values[column], place, marker=marker, color=colour, markerfacecolor=face, markersize=3)


def guess(ax: Axes) -> None:
    """Lines at the scores of a guess, 0, and of the best that can be had, 1."""
    for at in (0, 1):
        ax.axvline(at, color=GREY, linewidth=0.7, linestyle="--", zorder=0)
