"""Places of cells at several sizes."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import name_rows
from learnability.report.style import Style, Tables, heading, headline
from studies.comparison.drawn import ROW_MM, legend_of_families
from studies.comparison.sizes.orders import AGREE, FULL
from studies.comparison.tasks import words

SHOWN = ("score", "parameters")
OPEN: Mapping[str, Any] = {"markersize": 3.5, "markerfacecolor": "white", "markeredgewidth": 0.9}
"""Circle of a cell that is smaller than others."""


def draw(tables: Tables, style: Style) -> Figure:
    """A panel for each task, a line for each cell through its places at all sizes, the smallest first, from `by_size`.

    Spearman's ρ of neighbouring sizes is from `orders`.
    """
    table, agreement = tables["by_size"], tables["orders"]
    tasks = table["task"].unique().tolist()
    cells = table.groupby("task")["architecture"].nunique().max()
    figure, axes = style.panels(len(tasks), height_mm=12 + ROW_MM * cells)
    for ax, task in zip(axes, tasks, strict=True):
        rows = table[table["task"] == task]
        _lines(ax, rows, style)
        sizes = rows["size"].unique().tolist()
        _agreements(ax, agreement[agreement["task"] == task], sizes)
        ax.set_xticks(range(len(sizes)), [f"{size / 1000:g}" for size in sizes])
        ax.set(xlim=(-0.12, len(sizes) - 0.88), ylim=(cells - 0.2, -2.6))
        ax.set(xlabel="thousand parameters, at most", ylabel="cells, best first")
        ax.tick_params(axis="y", length=0)
        heading(ax, words(task).removeprefix("the "))
    headline(figure, f"Cells {_message(agreement)}; the best is on top")
    fewer = f"fewer than {FULL:.0%} of the parameters".replace("%", " %")
    legend_of_families(figure, table, style, Line2D([], [], color="k", marker="o", linestyle="", label=fewer, **OPEN))
    return figure


def _message(agreement: pd.DataFrame) -> str:
    """How far the orders of all tasks agree, in words."""
    keeps = agreement.groupby("task", sort=False)["correlation"].min() >= AGREE
    if not keeps.any():
        return "change their order between sizes"
    message = "keep nearly their order between sizes"
    return message if keeps.all() else f"{message} at {' and '.join(map(words, keeps.index[keeps]))} alone"


def _lines(ax: Axes, table: pd.DataFrame, style: Style) -> None:
    """A line for each cell, named at both ends; its circle is open at a size whose parameters it cannot fill."""
    scores, parameters = (table.pivot(index="architecture", columns="size", values=name) for name in SHOWN)
    places = (scores.rank(ascending=False, method="first") - 1).sort_values(scores.columns[0])
    fewer = parameters < FULL * parameters.columns.to_numpy()
    last = len(scores.columns) - 1
    for name, of_cell in zip(places.index.tolist(), places.to_numpy(), strict=True):
        colour = style.colours[name]
        ax.plot(of_cell, color=colour, marker="o", markersize=2.5, linewidth=1)
        few = np.flatnonzero(fewer.loc[name])
        ax.plot(few, of_cell[few], color=colour, marker="o", linestyle="", **OPEN)
        ax.annotate(
            style.labels[name], (last, of_cell[-1]), (5, 0), textcoords="offset points", color=colour, va="center"
        )
    name_rows(ax, places.index.tolist(), style)


def _agreements(ax: Axes, agreement: pd.DataFrame, sizes: Sequence[int]) -> None:
    """Spearman's ρ of neighbouring sizes, above the lines between them, at two heights, for panels may be narrow."""
    ax.annotate("ρ", (0, -1), (-12, 0), textcoords="offset points", ha="right", va="center")
    pairs = agreement.set_index(["smaller", "larger"])["correlation"]
    for place, pair in enumerate(pairwise(sizes)):
        ax.text(place + 0.5, -1 - place % 2, f"{pairs[pair]:.2f}", ha="center", va="center")
