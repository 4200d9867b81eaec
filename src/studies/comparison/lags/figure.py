"""Lags of the delayed sum that each cell learns, beside the sequences that its gradient asks for before training."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colorbar import Colorbar
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.findings import power_of_ten
from learnability.report.style import Style, Tables, conclude, heading
from studies.comparison.drawn import BORDER, label_columns, legend_of_families
from studies.comparison.lags.numbers import HALF

MOST = 6
"""log₁₀ of the most sequences that shades tell apart."""


def draw(tables: Tables, style: Style) -> Figure:
    """A column for each cell, that of the largest learned share on the left, from `lags`."""
    table = tables["lags"]
    share = table.pivot_table(index="lag", columns="architecture", values="share_end")
    names = share.mean().sort_values(ascending=False, kind="stable").index.tolist()
    figure, (top, bottom) = style.panels(2, 1, height_mm=42)
    _heat(figure, top, share[names], "learned share r/c", (0, 1), "viridis")
    _mark(top, share[names].to_numpy(float))
    sequences = table.pivot_table(index="lag", columns="architecture", values="needed_start", dropna=False)
    bar = _heat(figure, bottom, sequences.reindex(columns=names), "sequences N̂", (0, MOST), "magma_r", extend="max")
    powers = range(0, MOST + 1, 2)
    bar.set_ticks(
        list(powers), labels=[*(power_of_ten(power) for power in powers[:-1]), f"{power_of_ten(MOST)} or more"]
    )
    top.set_xticks([])
    label_columns(bottom, names, style)
    heading(top, "the share of each lag that is learned")
    heading(bottom, "sequences that its gradient needs before training")
    conclude(figure, "Longer lags are learned by fewer cells, and mostly require more sequences")
    half = Line2D([], [], color=BORDER, linewidth=1.4, label="learned: at least one half")
    legend_of_families(figure, table, style, half)
    return figure


def _mark(ax: Axes, share: np.ndarray) -> None:
    """Shares in figures, and a line between those from `HALF` on and the others."""
    is_learned = share >= HALF
    for (row, column), value in np.ndenumerate(share):
        colour = "black" if value > HALF else "white"
        text = f"{value:.2f}".lstrip("0") if value < 0.995 else f"{value:.1f}"
        ax.text(column + 0.5, row + 0.5, text, ha="center", va="center", color=colour)
    for row, column in np.argwhere(is_learned[:, 1:] != is_learned[:, :-1]):
        ax.plot([column + 1] * 2, [row, row + 1], color=BORDER, linewidth=1.4)
    for row, column in np.argwhere(is_learned[1:] != is_learned[:-1]):
        ax.plot([column, column + 1], [row + 1] * 2, color=BORDER, linewidth=1.4)


def _heat(
    figure: Figure,
    ax: Axes,
    values: pd.DataFrame,
    label: str,
    ends: tuple[float, float],
    colours: str,
    extend: str = "neither",
) -> Colorbar:
    finite = values.where(np.isfinite(values))
    mesh = ax.pcolormesh(finite.to_numpy(float), cmap=colours, vmin=ends[0], vmax=ends[1], edgecolors="white")
    ax.set_yticks(np.arange(len(values)) + 0.5, [f"{lag:g}" for lag in values.index])
    ax.set_ylabel("lag, steps")
    return figure.colorbar(mesh, ax=ax, label=label, aspect=12, extend=extend)
