"""N₅₀ of each cell by lag, and against the sequences N̂ that its gradient needs before training."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import heights_apart, log_lags, plain_log
from learnability.report.style import GREY, MARKERS, Style, Tables, conclude, heading
from studies.comparison.drawn import legend_of_families, write_rho

MOST_FAMILIES = 5
"""Families that have panels of their own; where there are more, one panel has all cells."""
NAMED = 3
"""Cells that a panel names: with the smallest N₅₀ at the longest lag."""
APART = 0.012
"""From one cell of a panel to the next, along the axis of lags, so that marks at an edge do not hide others."""
ROOM = 0.08
"""Height of a name, as a share of a panel."""
OPEN: Mapping[str, Any] = {"markerfacecolor": "white", "markeredgewidth": 0.8}
"""Mark of an N₅₀ beyond the N that were tried."""


def draw(tables: Tables, style: Style) -> Figure:
    """A panel of N₅₀ by lag for each family, and one of all pairs of a cell and a lag, from `half_learned`.

    The latter has Spearman's ρ of N̂ and N₅₀ over cells, the mean over lags, from `n50_predictions`.
    """
    table = tables["half_learned"]
    edges = float(table["smallest"].iloc[0] / 2.5), float(table["trained_on"].iloc[0] * 2.5)  # below and above all N
    table = table.assign(**{name: _placed(table[name], edges) for name in ("n50", "n50_low", "n50_high")})
    panels = _panels(table)
    figure, axes = style.panels(len(panels) + 1, 3 if len(panels) > 1 else 2, height_mm=62, sharey=True)
    for ax, (family, rows) in zip(axes, panels.items(), strict=False):
        _lines(ax, rows, edges, style)
        log_lags(ax)
        lags = np.sort(table["lag"].unique())
        ax.set_xticks(lags, [f"{lag:g}" for lag in lags])
        ax.set_xlim(lags[0] / 1.3, lags[-1] * 3.2)
        ax.set(xlabel="lag, steps", ylabel="sequences N₅₀")
        heading(ax, family)
    markers = _scatter(axes[-1], table, edges, style)
    axes[-1].set(xlabel="sequences N̂ before training", ylabel="sequences N₅₀")
    heading(axes[-1], "all cells")
    rhos = tables["n50_predictions"].set_index(["number", "of"]).sort_index()["correlation"]
    write_rho(axes[-1], rhos["needed", "mean of lags"].item(), "mean over lags", height=0.15)
    _tick(axes, table, edges)
    conclude(figure, "No cell learns a longer lag from fewer sequences than a shorter one")
    beyond = Line2D([], [], color="k", marker="o", markersize=3.5, linestyle="", label="beyond the N tried", **OPEN)
    legend_of_families(figure, table, style, beyond, *markers)
    return figure


def _placed(values: "pd.Series[float]", edges: tuple[float, float]) -> "pd.Series[float]":
    return values.replace({0.0: edges[0], np.inf: edges[1]})


def _panels(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    families = {str(family): rows for family, rows in table.groupby("family", sort=False)}
    return families if len(families) <= MOST_FAMILIES else {"cells by lag": table}


def _lines(ax: Axes, table: pd.DataFrame, edges: tuple[float, float], style: Style) -> None:
    """A line for each cell with the range over seeds; a few are named at the longest lag, the others there counted."""
    cells = table["architecture"].unique().tolist()
    for place, (name, rows) in enumerate(table.groupby("architecture", sort=False)):
        colour, lag = style.colours[str(name)], rows["lag"] * (1 + APART) ** (2 * place - len(cells) + 1)
        ax.vlines(lag, rows["n50_low"], rows["n50_high"], color=colour, linewidth=0.6, alpha=0.6)
        ax.plot(lag, rows["n50"], color=colour, linewidth=0.9, marker="o", markersize=3)
        beyond = rows["n50"].isin(edges)
        ax.plot(lag[beyond], rows["n50"][beyond], color=colour, linestyle="", marker="o", markersize=3.5, **OPEN)
    last = table[table["lag"] == table["lag"].max()].set_index("architecture")["n50"].sort_values(kind="stable")
    learned = last[last < edges[1]]
    words = {style.labels[str(name)]: value for name, value in learned.head(NAMED).items()}
    if len(learned) < len(last):
        words[f"{len(last) - len(learned)} of {len(last)} cells"] = edges[1]
    low, high = np.log(edges[0] / 1.5), np.log(edges[1] * 1.5)
    heights = heights_apart({word: (np.log(value) - low) / (high - low) for word, value in words.items()}, ROOM)
    for word, height in heights.items():
        ax.text(0.75, height, word, transform=ax.transAxes, va="center", color=style.colours[cells[0]])


def _scatter(ax: Axes, table: pd.DataFrame, edges: tuple[float, float], style: Style) -> list[Line2D]:
    """All pairs of a cell and a lag; where both numbers are the same there is a line. Markers by lag, for a legend."""
    needed = 10.0 ** table["needed_start"]
    right = 4 * needed[np.isfinite(needed)].max()
    table = table.assign(needed=needed.replace(np.inf, right))
    handles = []
    for marker, (lag, rows) in zip(MARKERS, table.groupby("lag"), strict=False):
        for row in rows.to_dict("records"):
            face = OPEN if row["n50"] in edges or row["needed"] == right else {}
            colour = style.colours[row["architecture"]]
            ax.plot(row["needed"], row["n50"], color=colour, linestyle="", marker=marker, markersize=3, **face)
        handles.append(Line2D([], [], color="k", linestyle="", marker=marker, markersize=3, label=f"lag {lag:g}"))
    plain_log(ax, "x")
    ends = np.array([edges[0], edges[1]])
    limits = ax.get_xlim()
    ax.plot(ends, ends, color=GREY, linewidth=0.8, linestyle="--", zorder=0)
    ax.set_xlim(limits)
    return handles


def _tick(axes: np.ndarray, table: pd.DataFrame, edges: tuple[float, float]) -> None:
    """The axis of N₅₀: powers of ten and, beyond the N that were tried, words."""
    smallest, most = int(table["smallest"].iloc[0]), int(table["trained_on"].iloc[0])
    inner = [10**power for power in range(10) if smallest < 10**power < most / 1.5]
    ticks = [edges[0], smallest, *inner, most, edges[1]]
    for ax in axes:
        ax.set_yscale("log")
        ax.set_yticks(ticks, [f"≤ {smallest}", f"{smallest}", *(f"{n:,}" for n in inner), f"{most:,}", "not learned"])
        ax.minorticks_off()
        ax.set_ylim(edges[0] / 1.5, edges[1] * 1.5)
        for at in (smallest, most):
            ax.axhline(at, color="0.9", linewidth=0.7, zorder=0)
