"""Scores and learned lags with and without a common divisor of the lags."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learnability.report.panels import heights_apart
from learnability.report.style import GREY, Style, Tables, heading, headline, note
from studies.comparison.drawn import legend_of_families

NAMES = 6
"""Cells that are named: with scores that differ most."""
ROOM = 0.06
"""Height of a name, as a share of a panel."""
SIDE = 0.45
"""Room for names on a side, in units of the score."""
LINES: dict[str, dict[str, Any]] = {
    "without": {"color": GREY, "marker": "o", "markerfacecolor": "white"},
    "with": {"color": "k", "marker": "o"},
}


def draw(tables: Tables, style: Style) -> Figure:
    """Left: the two scores of each cell, from `divisor`; right: cells that learn each lag, from `divisor_lags`."""
    table = tables["divisor"]
    if table.empty:
        figure, (ax,) = style.panels(1)
        note(ax, "No second delayed sum was raced.")
        ax.set_axis_off()
        headline(figure, "A delayed sum with a common divisor of its lags")
        return figure
    figure, (scores_ax, counts_ax) = style.panels(2, height_mm=85)
    scores_ax.get_gridspec().set_width_ratios([1.25, 1])
    _scores(scores_ax, table, style)
    _counts(counts_ax, tables["divisor_lags"])
    headline(figure, "What a common divisor of the lags changes at the delayed sum")
    legend_of_families(figure, table, style)
    return figure


def _scores(ax: Axes, table: pd.DataFrame, style: Style) -> None:
    """A dot for each cell; of those that are named, gains are on the left and losses on the right."""
    ax.scatter(table["score"], table["score_divisor"], c=table["architecture"].map(style.colours), s=12, zorder=3)
    ends = np.array([-0.04, 1.04])
    ax.plot(ends, ends, color=GREY, linewidth=0.8, linestyle="--", zorder=0)
    rows = table.assign(distance=table["gain"].abs()).nlargest(NAMES, "distance")
    is_above = rows["gain"] > 0
    low, high = ends[0] - SIDE * is_above.any(), ends[1] + SIDE * (~is_above).any()
    ax.set(xlim=(low, high), ylim=ends, xlabel="score without a divisor", ylabel="score with a divisor")
    ax.set_xticks(np.linspace(0, 1, 6))
    for of_side, x, align in ((rows[is_above], low + 0.02, "left"), (rows[~is_above], high, "right")):
        dots = of_side.sort_values("score", ascending=align == "right").set_index("architecture")
        places = ((dots["score_divisor"] - ends[0]) / np.ptp(ends)).to_dict()
        for name, place in heights_apart({str(key): value for key, value in places.items()}, ROOM).items():
            ax.annotate(
                style.labels[name],
                (dots.loc[name, "score"], dots.loc[name, "score_divisor"]),
                xytext=(x, ends[0] + place * np.ptp(ends)),
                va="center",
                ha=align,
                color=style.colours[name],
                arrowprops={"arrowstyle": "-", "color": GREY, "linewidth": 0.5, "shrinkA": 1, "shrinkB": 2},
            )
    heading(ax, "scores of all cells")


def _counts(ax: Axes, lags: pd.DataFrame) -> None:
    """Cells that learn each lag of each task, counted at the markers."""
    counts = lags.groupby(["contest", "lag"], sort=False)["learned"].sum()
    cells, names = lags["architecture"].nunique(), lags["contest"].unique()
    highest = counts.groupby("contest").last().idxmax()
    for contest, (word, line) in zip(names, LINES.items(), strict=True):
        of_task = counts[contest].sort_index()
        ax.plot(of_task.index, of_task, markersize=4, **line)
        side = 1 if contest == highest else -1
        for lag, count in of_task.items():
            ax.annotate(f"{count}", (lag, count), (0, 7 * side), textcoords="offset points", ha="center", va="center")
        ax.annotate(
            f"{word} a divisor:\n{', '.join(f'{lag:g}' for lag in of_task.index)}",
            (of_task.index[-1], of_task.iloc[-1]),
            (8, 0),
            textcoords="offset points",
            va="bottom" if contest == highest else "top",
            color="k" if word == "with" else "0.4",
        )
        ax.set_xticks(of_task.index)  # of the lags with a divisor, the last
    ax.set(xlim=(0, 1.5 * lags["lag"].max()), ylim=(-0.1 * cells, 1.12 * cells))
    ax.set(xlabel="lag, steps", ylabel="cells that learn the lag")
    heading(ax, "lags that are learned")
