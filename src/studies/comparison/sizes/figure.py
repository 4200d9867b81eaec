"""Scores of cells at several sizes."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import heights_apart
from learnability.report.style import GREY, Style, Tables, heading, headline, unbroken
from studies.comparison.drawn import legend_of_families
from studies.comparison.sizes.orders import AGREE, FULL
from studies.comparison.tasks import words

NAMED = ("larger", "gain", "loss")
"""A cell is named for the highest score at the larger size, one for the largest gain, and one for the least."""
ROOM = 0.09
"""Height of a name, as a share of a panel."""
OPEN: Mapping[str, Any] = {"facecolor": "white", "linewidth": 0.9}
"""Circle of a cell that is smaller than others."""


def draw(tables: Tables, style: Style) -> Figure:
    """A panel for each task, a dot for each cell: its scores at the smallest and the largest size, from `by_size`.

    Spearman's ρ of the two is from `orders`, of all cells and of those with a filled circle.
    """
    table, agreement = tables["by_size"], tables["orders"].set_index(["task", "smaller", "larger"])
    sizes = {
        task: sorted(table.loc[table["task"] == task, "size"].unique()) for task in table["task"].unique().tolist()
    }
    pairs = [(task, of_task[0], of_task[-1]) for task, of_task in sizes.items()]
    figure, axes = style.panels(len(pairs), height_mm=60, sharex=True, sharey=True)
    for ax, (task, smaller, larger) in zip(axes, pairs, strict=True):
        _compare(ax, table[(table["task"] == task) & table["size"].isin([smaller, larger])], style)
        rho, of_full = (agreement[name][task, smaller, larger] for name in ("correlation", "full_correlation"))
        of_filled = f", filled {of_full:.2f}" if np.isfinite(of_full) else ""
        words_of_rho = unbroken(f"ρ = {rho:.2f}{of_filled}") if np.isfinite(rho) else ""
        ax.set(xlabel="score at the smaller size", ylabel="score at the larger size")
        title = f"{words(task).removeprefix('the ')}, {unbroken(f'{smaller:,} → {larger:,}')}"
        heading(ax, f"{title}: {words_of_rho}" if words_of_rho else title)
    headline(figure, f"Cells that fill both sizes {_message(tables['orders'])}")
    fewer = f"fewer than {FULL:.0%} of the parameters at either".replace("%", " %")
    circle = Line2D([], [], color="k", marker="o", linestyle="", markersize=3.5, markerfacecolor="white", label=fewer)
    legend_of_families(figure, table, style, circle)
    return figure


def _message(agreement: pd.DataFrame) -> str:
    """How far the orders of all tasks agree among cells that fill both sizes, in words."""
    keeps = agreement.groupby("task", sort=False)["full_correlation"].min() >= AGREE
    if not keeps.any():
        return "change their order"
    message = "keep nearly their order"
    return message if keeps.all() else f"{message} at {' and '.join(map(words, keeps.index[keeps]))} alone"


def _compare(ax: Axes, table: pd.DataFrame, style: Style) -> None:
    """Score at the larger size against the one at the smaller; names of the best cells, and of those that gain most.

    The circle of a cell that cannot fill the parameters of both is open.
    """
    scores, parameters = (
        table.pivot(index="architecture", columns="size", values=name) for name in ("score", "parameters")
    )
    is_small = (parameters < FULL * parameters.columns.to_numpy()).any(axis=1)
    scores.columns = pd.Index(["smaller", "larger"])
    ax.axline((0, 0), slope=1, color=GREY, linewidth=0.6, linestyle="--", zorder=0)
    for name, (smaller, larger) in zip(scores.index, scores.to_numpy(), strict=True):
        colour = style.colours[name]
        look = OPEN if is_small[name] else {"facecolor": colour}
        ax.scatter(smaller, larger, s=10, edgecolor=colour, zorder=2, **look)
    gain = scores["larger"] - scores["smaller"]
    gains = scores.assign(gain=gain, loss=-gain)
    names = list(dict.fromkeys(str(gains[column].idxmax()) for column in NAMED))
    low, high = scores.min().min(), scores.max().max()
    ax.set_xlim(min(0, low) - 0.05, max(1, high) + 0.05)
    ax.set_ylim(ax.get_xlim())
    bottom, top = ax.get_ylim()
    heights = heights_apart({name: (scores["larger"][name] - bottom) / (top - bottom) for name in names}, ROOM)
    for name, height in heights.items():
        ax.annotate(
            style.labels[name],
            tuple(scores.loc[name]),
            xytext=(1.03, min(height, 1 - ROOM / 2)),
            textcoords="axes fraction",
            color=style.colours[name],
            va="center",
            arrowprops={
                "arrowstyle": "-",
                "color": GREY,
                "linewidth": 0.5,
                "linestyle": ":",
                "shrinkA": 0,
                "shrinkB": 2,
                "relpos": (0, 0.5),
            },
        )
