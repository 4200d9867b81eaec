"""Scores and learned lags with and without a common divisor of the lags."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import heights_apart
from learnability.report.style import GREY, Style, Tables, conclude, heading, headline, note
from studies.comparison.drawn import legend_of_families

NAMES = 6
"""Cells that are named: with scores that differ most."""
ROOM = 0.06
"""Height of a name, as a share of a panel."""
SIDE = 0.45
"""Room for names on a side, in units of the score."""
LABEL = 0.2
"""Height of a line's label, as a share of a panel."""
LINES: dict[str, dict[str, Any]] = {
    "plain": {"color": GREY, "marker": "s", "markerfacecolor": "white"},
    "control": {"color": "k", "marker": "o", "markerfacecolor": "white", "linestyle": "--"},
    "divisor": {"color": "k", "marker": "o"},
}
"""Lines of delayed sums, by the parts of `studies.comparison.section.sums_of`."""


def draw(tables: Tables, style: Style) -> Figure:
    """Left: two scores of each cell, from `divisor`; right: the number of cells that learn each lag, `divisor_lags`."""
    table = tables["divisor"]
    if table.empty:
        figure, (ax,) = style.panels(1)
        note(ax, "No second delayed sum was raced.")
        ax.set_axis_off()
        headline(figure, "A delayed sum with a common divisor of its lags")
        return figure
    figure, (scores_ax, counts_ax) = style.panels(2, height_mm=85)
    scores_ax.get_gridspec().set_width_ratios([1.15, 1])
    _scores(scores_ax, table, style)
    _counts(counts_ax, tables["divisor_lags"])
    conclude(figure, "A common divisor of the lags clearly raises the scores of some cells, not of most")
    circle = Line2D([], [], color="k", marker="o", linestyle="", markersize=3.5, markerfacecolor="white")
    circle.set_label("95 % intervals overlap")
    legend_of_families(figure, table, style, circle)
    return figure


def _scores(ax: Axes, table: pd.DataFrame, style: Style) -> None:
    """A dot for each cell, open unless its 95 % intervals lie apart; how many clearly gain and lose is written.

    Of the named cells gains are on the left and losses on the right.
    """
    part = "_control" if "score_control" in table else ""
    table = table.assign(x=table[f"score{part}"], y=table["score_divisor"], gain=table[f"gain{part}"])
    clear_gain = table["score_low_divisor"] > table[f"score_high{part}"]
    clear_loss = table["score_high_divisor"] < table[f"score_low{part}"]
    colours = table["architecture"].map(style.colours)
    faces = colours.where(clear_gain | clear_loss, "white")
    ax.scatter(table["x"], table["y"], facecolors=faces, edgecolors=colours.tolist(), linewidths=0.9, s=12, zorder=3)
    ends = np.array([-0.04, 1.04])
    ax.plot(ends, ends, color=GREY, linewidth=0.8, linestyle="--", zorder=0)
    rows = table.assign(distance=table["gain"].abs()).nlargest(NAMES, "distance")
    is_above = rows["gain"] > 0
    low, high = ends[0] - SIDE * is_above.any(), ends[1] + SIDE * (~is_above).any()
    without = "score without a divisor, at lags as long" if part else "score without a divisor"
    ax.set(xlim=(low, high), ylim=ends, xlabel=without, ylabel="score with a divisor")
    ax.set_xticks(np.linspace(0, 1, 6))
    for of_side, x, align in ((rows[is_above], low + 0.02, "left"), (rows[~is_above], high, "right")):
        dots = of_side.sort_values("x", ascending=align == "right").set_index("architecture")
        places = ((dots["y"] - ends[0]) / np.ptp(ends)).to_dict()
        for name, place in heights_apart({str(key): value for key, value in places.items()}, ROOM).items():
            ax.annotate(
                style.labels[name],
                (dots.loc[name, "x"], dots.loc[name, "y"]),
                xytext=(x, ends[0] + place * np.ptp(ends)),
                va="center",
                ha=align,
                color=style.colours[name],
                arrowprops={"arrowstyle": "-", "color": GREY, "linewidth": 0.5, "shrinkA": 1, "shrinkB": 2},
            )
    counts = f"{clear_gain.sum()} of {len(table)} clearly gain,\n{clear_loss.sum()} clearly lose"
    ax.text(1, 0, counts, ha="right")
    heading(ax, "scores of all cells")


def _counts(ax: Axes, lags: pd.DataFrame) -> None:
    """Number of cells that learn each lag of each sum; it is written out at the longest lag, beside all lags."""
    counts = lags.groupby(["contest", "lag"], sort=False)["learned"].sum()
    contests, longest = lags["contest"].unique().tolist(), lags["lag"].max()
    low, high = np.array([-0.04, 1.04]) * lags["architecture"].nunique()
    parts = dict(zip(contests, LINES if len(contests) == len(LINES) else ("plain", "divisor"), strict=True))
    lowest = {}
    for contest, part in parts.items():
        of_sum = counts[contest].sort_index()
        ax.plot(of_sum.index, of_sum, markersize=4, **LINES[part])
        lowest[contest] = (of_sum.iloc[-1] - low) / (high - low) - LABEL * len(parts) / 2
    for contest, place in heights_apart(dict(reversed(lowest.items())), LABEL).items():
        of_sum, part = counts[contest].sort_index(), parts[contest]
        steps = ", ".join(f"{lag:g}" for lag in of_sum.index)
        with_divisor = "with a divisor" if part == "divisor" else "without a divisor"
        ax.annotate(
            f"{of_sum.iloc[-1]} at lag {of_sum.index[-1]:g} of\n{steps},\n{with_divisor}",
            (of_sum.index[-1], of_sum.iloc[-1]),
            xytext=(1.15 * longest, low + (place + LABEL / 2) * (high - low)),
            va="center",
            color="0.4" if part == "plain" else "k",
            arrowprops={"arrowstyle": "-", "color": GREY, "linewidth": 0.5, "relpos": (0, 0.5), "shrinkB": 3},
        )
    ax.set(xlim=(0, 1.1 * longest), ylim=(low, high), xlabel="lag, steps", ylabel="cells that learn the lag")
    heading(ax, "lags that are learned")
