"""Parts that figures of the study share: cells in rows or columns, coloured by family."""

from collections.abc import Mapping, Sequence
from textwrap import fill

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from learnability.report.findings import signed
from learnability.report.panels import name_rows
from learnability.report.style import GREY, Style, heading, legend
from studies.comparison.tasks import words

ROW_MM = 3.4
"""Height of a cell's row."""
BESIDE_MEANS = (1, 2.1)
"""Widths of a panel of means and of a heat map of all tasks beside it."""
ROW_LINE, COLUMN_LINE = 22, 10
"""Characters of a task's name in a line, where tasks are rows and where they are columns."""
BORDER = "#d62728"
"""Colour of lines and frames in heat maps."""
SHADES = 20
"""Shades of a heat map: a picture has room for few colours, and families need theirs."""
LUMINANCE, MIDDLE = (0.2126, 0.7152, 0.0722), 0.5
"""Weights of red, green and blue, and the shade below which numbers are white."""


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


def label_rows(ax: Axes, names: Sequence[str], style: Style) -> None:
    """A row for each cell, the first on top."""
    name_rows(ax, names, style)
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


def write_rho(ax: Axes, rho: float) -> None:
    """Write Spearman's ρ at the right edge of a panel; too few cells have none."""
    if np.isfinite(rho):
        ax.text(0.97, 0.04, f"ρ = {rho:.2f}", transform=ax.transAxes, ha="right", va="bottom")


def name_in_lines(contest: str, line: int) -> str:
    """A task in words, in lines of at most so many characters unless a word is longer."""
    return fill(words(contest).removeprefix("the "), line, break_long_words=False)


def beside_means(names: Sequence[str], style: Style) -> tuple[Figure, Axes, Axes]:
    """A figure with a row for each cell, a panel of mean scores and room for the heat map of all tasks."""
    figure, (means_ax, tasks_ax) = style.panels(2, height_mm=14 + ROW_MM * len(names))
    means_ax.get_gridspec().set_width_ratios(BESIDE_MEANS)
    guess(means_ax)
    label_rows(means_ax, names, style)
    means_ax.set(xlim=(-0.05, 1.05), xlabel="score")
    heading(means_ax, "mean over tasks")
    return figure, means_ax, tasks_ax


def heat(
    ax: Axes, values: pd.DataFrame, colours: str, limits: tuple[float, float], framed: pd.DataFrame | None = None
) -> None:
    """A shade and a number for each cell, in rows, and task, in columns; those that are `framed` are bold."""
    numbers = values.to_numpy(float)
    rows, columns = (np.arange(count + 1) - 0.5 for count in numbers.shape)
    shades, (low, high) = colormaps[colours].resampled(SHADES), limits
    mesh = ax.pcolormesh(columns, rows, numbers, cmap=shades, vmin=low, vmax=high, edgecolors="white", linewidth=0.4)
    for (row, column), number in np.ndenumerate(numbers):
        if np.isfinite(number):
            is_dark = shades(mesh.norm(number))[:3] @ np.array(LUMINANCE) < MIDDLE
            text, is_framed = (
                signed(f"{number:.2f}".replace("-0.00", "0.00")),
                framed is not None and framed.iloc[row, column],
            )
            colour, weight = "white" if is_dark else "black", "bold" if is_framed else "normal"
            ax.text(column, row, text, weight=weight, color=colour, ha="center", va="center_baseline")
            if is_framed:
                ax.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, color=BORDER, linewidth=1.4))
    ax.set(xlim=columns[[0, -1]], ylim=(len(values) - 0.4, -0.6))
    ax.set_xticks(range(numbers.shape[1]), [name_in_lines(name, COLUMN_LINE) for name in values.columns])
    ax.tick_params(axis="y", left=False, labelleft=False)
    ax.spines["left"].set_visible(False)


def frame(text: str) -> Patch:
    """What a frame of `heat` marks, for a legend."""
    return Patch(fill=False, edgecolor=BORDER, linewidth=1.4, label=text)
