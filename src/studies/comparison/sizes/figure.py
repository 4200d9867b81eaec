"""Places of cells at several sizes."""

from collections.abc import Sequence
from itertools import pairwise

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import name_rows
from learnability.report.style import Style, Tables, heading, headline
from studies.comparison.drawn import ROW_MM, legend_of_families
from studies.comparison.sizes.orders import AGREE, FULL
from studies.comparison.tasks import words


def draw(tables: Tables, style: Style) -> Figure:
    """A panel for each task, a line for each cell from its place at one size to its place at the next, from `by_size`.

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
        ax.set_xticks(range(len(sizes)), [f"{size:,}" for size in sizes])
        ax.set(xlim=(-0.12, len(sizes) - 0.88), ylim=(cells - 0.2, -1.6))
        ax.set(xlabel="parameters, at most", ylabel="cells, best first")
        ax.tick_params(axis="y", length=0)
        heading(ax, words(task).removeprefix("the "))
    low = agreement["correlation"].min()
    message = "keep nearly their order" if low >= AGREE else "change their order"
    headline(figure, f"Cells {message} between sizes; the best is on top")
    fewer = f"fewer than {FULL:.0%} of the parameters".replace("%", " %")
    legend_of_families(figure, table, style, Line2D([], [], color="k", linestyle="--", linewidth=1, label=fewer))
    return figure


def _lines(ax: Axes, table: pd.DataFrame, style: Style) -> None:
    """A line for each cell, named at both ends."""
    scores = table.pivot(index="architecture", columns="size", values="score")
    places = (scores.rank(ascending=False, method="first") - 1).sort_values(scores.columns[0])
    small = set(table.loc[table["parameters"] < FULL * table["size"], "architecture"])
    last = len(scores.columns) - 1
    for name, of_cell in zip(places.index.tolist(), places.to_numpy(), strict=True):
        colour, dashes = style.colours[name], "--" if name in small else "-"
        ax.plot(of_cell, color=colour, marker="o", markersize=2.5, linewidth=1, linestyle=dashes)
        ax.text(last + 0.04, of_cell[-1], style.labels[name], color=colour, va="center")
    name_rows(ax, places.index.tolist(), style)


def _agreements(ax: Axes, agreement: pd.DataFrame, sizes: Sequence[int]) -> None:
    """Spearman's ρ of neighbouring sizes, above the lines between them."""
    pairs = agreement.set_index(["smaller", "larger"])["correlation"]
    for place, pair in enumerate(pairwise(sizes)):
        ax.text(place + 0.5, -1, f"ρ = {pairs[pair]:.2f}", ha="center", va="center")
