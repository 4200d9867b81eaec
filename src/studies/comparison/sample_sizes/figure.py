"""N₅₀ of each cell by lag, and against the sequences N̂ that its gradient needs before training."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from learnability.report.style import GREY, Style, Tables, conclude, heading
from studies.comparison.drawn import label_columns, legend_of_families

SHADES = colormaps["viridis_r"].resampled(20)
NEVER = "0.88"
"""Shade of a lag that a cell does not learn from all sequences."""
DARK = 0.45
"""Share of the shades from which on numbers are white."""
OPEN: Mapping[str, Any] = {"facecolor": "white", "linewidth": 0.8}
"""Mark of an N₅₀ beyond the N that were tried."""
BEYOND = 2.5
"""Factor by which such a mark lies beyond the smallest or the largest N."""


def draw(tables: Tables, style: Style) -> Figure:
    """A column of N₅₀ for each cell, by lag, over a panel of N₅₀ against N̂ for each lag, from `half_learned`.

    The latter have Spearman's ρ over cells, from `n50_predictions`.
    """
    table = tables["half_learned"]
    lags = np.sort(table["lag"].unique())
    figure, axes = style.panels(2 * len(lags), len(lags), height_mm=58)
    grid = axes[0].get_gridspec()
    for ax in axes[: len(lags)]:
        ax.remove()
    top, panels = figure.add_subplot(grid[0, :]), axes[len(lags) :]
    for letter, ax in zip("bcdefgh", panels, strict=False):
        ax.set_title(f"({letter})", loc="left")
    _heat(top, table, style)
    top.set_title("(a) sequences from which half of the seeds learn half of a lag, N₅₀", loc="left")
    of_needed = tables["n50_predictions"].query("number == 'needed'")
    rhos, (mean,) = of_needed.set_index("lag")["correlation"], of_needed.query("of == 'mean of lags'")["correlation"]
    for ax, lag in zip(panels, lags, strict=True):
        _scatter(ax, table[table["lag"] == lag], style)
        rho = f": ρ = {rhos[lag]:.2f}" if np.isfinite(rhos[lag]) else ""
        heading(ax, f"lag {lag:g}{rho}{f' (mean {mean:.2f})' if rho and lag == lags[-1] else ''}")
    conclude(figure, "One sequence teaches most cells the shortest lag; few learn the longest from any number")
    legend_of_families(figure, table, style)
    return figure


def _heat(ax: Axes, table: pd.DataFrame, style: Style) -> None:
    """A shade and a number for each cell and lag; cells with the smallest N₅₀ stand on the left."""
    n50 = table.pivot(index="lag", columns="architecture", values="n50")
    ranks = n50.rank(axis=1)
    names = ranks.mean().sort_values(kind="stable").index.tolist()
    smallest, most = (int(table[name].iloc[0]) for name in ("smallest", "trained_on"))
    numbers = n50[names].to_numpy(float)
    shades = np.clip(numbers, smallest, most)
    norm = LogNorm(smallest, most)
    ax.pcolormesh(np.where(np.isfinite(numbers), shades, np.nan), cmap=SHADES, norm=norm, edgecolors="white")
    ax.set_facecolor(NEVER)
    for (row, column), number in np.ndenumerate(numbers):
        text = f"≤{smallest}" if number == 0 else f"{number:.2g}" if number < 100 else f"{number:.0f}"
        is_dark = np.isfinite(number) and norm(shades[row, column]) > DARK
        place, colour = (column + 0.5, row + 0.5), "white" if is_dark else "black"
        ax.text(*place, text if np.isfinite(number) else "∞", ha="center", va="center", color=colour)
    ax.set_yticks(np.arange(len(n50)) + 0.5, [f"{lag:g}" for lag in n50.index])
    ax.set(xlabel="cell", ylabel="lag, steps")
    ax.tick_params(length=0)
    label_columns(ax, names, style)


def _scatter(ax: Axes, table: pd.DataFrame, style: Style) -> None:
    """N₅₀ of each cell against N̂ on the same scale; where both are the same there is a line."""
    smallest, most = float(table["smallest"].iloc[0]), float(table["trained_on"].iloc[0])
    low, high = smallest / BEYOND, most * BEYOND
    n50, needed = table["n50"].clip(low, high), (10.0 ** table["needed_start"]).clip(low, high)
    for name, x, y in zip(table["architecture"], needed, n50, strict=True):
        colour, is_beyond = style.colours[name], y in (low, high) or x in (low, high)
        ax.scatter(x, y, s=12, edgecolor=colour, **(OPEN if is_beyond else {"facecolor": colour}), zorder=2)
    ax.set(xscale="log", yscale="log")
    ax.axline((low, low), (high, high), color=GREY, linewidth=0.8, linestyle="--", zorder=0)
    inner = [10**power for power in range(10) if smallest < 10**power < most / 1.5]
    ticks, labels = [smallest, *inner, high], [f"{smallest:g}", *(f"{n:,}" for n in inner)]
    ax.set_xticks(ticks, [*labels[:-1], "", "more"])
    ax.set_yticks(ticks, [*labels, "∞"])
    ax.minorticks_off()
    ax.set(xlim=(low / 1.5, high * 1.5), ylim=(low / 1.5, high * 1.5), xlabel="sequences N̂", ylabel="sequences N₅₀")
