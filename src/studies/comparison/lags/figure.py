"""Which lags of the delayed sum each cell learns, beside the sequences that its gradient asks for before training."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learnability.report.style import Style, Tables, heading, headline
from studies.comparison.drawn import label_columns, legend_of_families


def draw(tables: Tables, style: Style) -> Figure:
    """A column for each cell, that of the largest learned share on the left, from `lags`."""
    table = tables["lags"]
    share = table.pivot_table(index="lag", columns="architecture", values="share_end")
    names = share.mean().sort_values(ascending=False, kind="stable").index.tolist()
    figure, (top, bottom) = style.panels(2, 1, height_mm=42)
    _heat(figure, top, share[names], "learned share r/c", (0, 1), "viridis")
    needed = table.pivot_table(index="lag", columns="architecture", values="needed_start", dropna=False)
    _heat(figure, bottom, needed.reindex(columns=names), "log₁₀ N̂", (0, 6), "magma_r")
    top.set_xticks([])
    label_columns(bottom, names, style)
    heading(top, "the share of each lag that is learned")
    heading(bottom, "sequences that its gradient needs before training; white: more than can be told")
    headline(figure, "Which lags of a delayed sum each cell learns")
    legend_of_families(figure, table, style)
    return figure


def _heat(figure: Figure, ax: Axes, values: pd.DataFrame, label: str, ends: tuple[float, float], colours: str) -> None:
    finite = values.where(np.isfinite(values))
    mesh = ax.pcolormesh(finite.to_numpy(float), cmap=colours, vmin=ends[0], vmax=ends[1], edgecolors="white")
    ax.set_yticks(np.arange(len(values)) + 0.5, [f"{lag:g}" for lag in values.index])
    ax.set_ylabel("lag, steps")
    figure.colorbar(mesh, ax=ax, label=label, aspect=12)
