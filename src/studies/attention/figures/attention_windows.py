"""What gradients see of each lag before and after training, and what is learned of it, with attention and without."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learnability.report.panels import plain_log
from learnability.report.style import GREY, INTERVAL, Style, Tables, heading, headline, legend, note
from learnability.windows.reach import HALF
from studies.attention.trained_tables import in_words

EDGES = -2, 8
"""log₁₀ N̂ beyond them lies on the edges."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `attention_windows`, of `studies.attention.window_tables.tabulate`."""
    table = tables["attention_windows"]
    experiments = table["experiment"].unique().tolist()
    figure, axes = style.panels(3 * len(experiments), 3)
    for (before, after, learned), experiment in zip(axes.reshape(-1, 3), experiments, strict=True):
        of_it = table[table["experiment"] == experiment]
        lags = of_it.dropna(subset="share")["lag"]
        first, last = (of_it[of_it["epoch"] == epoch] for epoch in (0, of_it["epoch"].max()))
        panels = (
            (before, first, _needed, "before training"),
            (after, last, _needed, "after training"),
            (learned, last, _learned, "learned"),
        )
        for ax, shown, draw_lag, when in panels:
            for name in style.present(shown):
                draw_lag(ax, shown[shown["architecture"] == name], style.line(name))
            heading(ax, f"{in_words(experiment)}, {when}")
            ax.set(xlabel="lag ℓ (steps)", xlim=(0, 1.1 * lags.max()))
            if not any(len(line.get_xdata()) for line in ax.lines):
                note(ax, "N̂ cannot be told.")
        for ax in (before, after):
            ax.axhline(of_it["trained_on"].iloc[0], color=GREY, linewidth=0.7, linestyle="--", zorder=0)
            plain_log(ax, "y")
            ax.set(ylabel="N̂(ℓ)", ylim=(10 ** (EDGES[0] - 0.3), 10 ** (EDGES[1] + 0.3)))
        learned.axhline(HALF, color=GREY, linewidth=0.7, linestyle="--", zorder=0)
        learned.set(ylabel="r/c", ylim=(-0.1, 1.2))
    headline(figure, "What gradients see of each lag, and what is learned of it")
    legend(figure, *replace(style, architectures=style.present(table)).handles(), INTERVAL)
    return figure


def _needed(ax: Axes, rows: pd.DataFrame, line: dict[str, Any]) -> None:
    quoted = rows.dropna(subset=["needed", "share"])  # those off the task have next to no gradient
    needed = 10.0 ** quoted[["needed", "needed_low", "needed_high"]].clip(*EDGES)
    _with_ends(ax, quoted["lag"], needed, line)


def _learned(ax: Axes, rows: pd.DataFrame, line: dict[str, Any]) -> None:
    asked = rows.dropna(subset="share")
    _with_ends(ax, asked["lag"], asked[["share", "share_low", "share_high"]], line)


def _with_ends(ax: Axes, lags: "pd.Series[int]", values: pd.DataFrame, line: dict[str, Any]) -> None:
    middle, low, high = values.to_numpy().T
    ax.plot(lags, middle, **line)
    ax.vlines(lags, np.minimum(low, high), high, color=line["color"], linewidth=0.5)
