"""Phase diagram of a grid: what is learned of each lag from N sequences, a panel for each lag."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.findings import percent
from learnability.report.style import Style, Tables, conclude, heading, legend
from studies.ground_truth.contest import MOST_SEEDS
from studies.ground_truth.tables import last_look

MARK: Any = {"color": "white", "linestyle": "", "markersize": 4, "markeredgecolor": "k", "markeredgewidth": 0.4}
HALF_LEARNED = Line2D([], [], **MARK | {"marker": "o"}, label="N₅₀, with 95 % interval")
FEWER = Line2D([], [], **MARK | {"marker": "<"}, label="N₅₀ below the N tried")
MORE = Line2D([], [], **MARK | {"marker": ">"}, label="N₅₀ above the N tried")

TOGETHER = "six_lags"
"""Grid whose task requires all of its lags at once, so that means over them have a meaning."""


def draw(tables: Tables, style: Style) -> Figure:
    """Median share r/c over seeds as shade, N₅₀ with its interval as a mark where a lag is learned.

    A row for each architecture, that of the largest mean share first.
    """
    trials, half_learned = (last_look(tables[name]) for name in ("trials", "half_learned"))
    learnable = half_learned[half_learned["learned"] >= MOST_SEEDS]
    sizes, lags = (np.sort(trials[name].unique()) for name in ("sample_size", "lag"))
    mean_share = trials.groupby("architecture")["share"].mean()
    names = sorted(style.architectures, key=lambda name: -mean_share[name])
    marks: set[str] = set()
    figure, axes = style.panels(len(lags), min(len(lags), 3), height_mm=80, sharex=True, sharey=True)
    for ax, lag in zip(axes, lags, strict=True):
        at_lag = trials[trials["lag"] == lag]
        share = at_lag.groupby(["architecture", "sample_size"])["share"].median().unstack()
        mesh = ax.pcolormesh(share.reindex(index=names, columns=sizes).to_numpy(), cmap="viridis", vmin=0, vmax=1)
        for row in learnable[learnable["lag"] == lag].to_dict("records"):
            at, low, high = (_place(row[name], sizes) for name in ("n50", "n50_low", "n50_high"))
            y, finite = names.index(row["architecture"]) + 0.5, sizes[np.isfinite(sizes)]
            mark = "<" if row["n50"] < finite[0] else ">" if row["n50"] > finite[-1] else "o"
            ax.hlines(y, low, high, color="white", linewidth=1)
            ax.plot(at, y, **MARK | {"marker": mark, "clip_on": mark == "o"})
            marks.add(mark)
        ax.set_xticks(np.arange(len(sizes)) + 0.5, [_words(size) for size in sizes])
        ax.set_yticks(np.arange(len(names)) + 0.5, [style.labels[name] for name in names])
        ax.set_ylim(len(names), 0)
        heading(ax, f"lag {lag}")
    figure.supxlabel("sequences N; ∞: each shown once", fontsize=style.font_size)
    bar = figure.colorbar(mesh, ax=list(axes), location="top", shrink=0.5, aspect=30, label="learned share r/c")
    if set(trials["grid"]) == {TOGETHER}:
        _mark_means(bar.ax, trials, (sizes[0], sizes[-1]))
    conclude(figure, "No network is shown to learn a lag from fewer sequences than ConstGate")
    legend(figure, *(handle for handle in (HALF_LEARNED, FEWER, MORE) if handle.get_marker() in marks))
    return figure


def _mark_means(bar: Axes, trials: pd.DataFrame, sizes: tuple[float, float]) -> None:
    """Mark the mean over lags and networks on the scale of shades, from the fewest and from fresh sequences."""
    shares = trials.groupby(["sample_size", "lag", "architecture"])["share"].median()
    for size, side, aside in zip(sizes, ("right", "left"), (4, -4), strict=True):
        mean = float(shares[size].mean())
        bar.plot([mean], [0], marker="^", color="k", markersize=4, transform=bar.get_xaxis_transform(), clip_on=False)
        words = f"mean, N = {_words(size)}: {percent(mean)}"
        bar.annotate(words, (mean, 0), (aside, -5), "axes fraction", "offset points", ha=side, va="top")


def _words(size: float) -> str:
    return "∞" if np.isinf(size) else f"{size:g}"


def _place(size: float, sizes: np.ndarray) -> float:
    """Place of N among the columns, in their logarithm; at the edge of them beyond the grid."""
    finite = sizes[np.isfinite(sizes)]
    if size < finite[0]:
        return 0.0
    return float(
        len(finite) if size > finite[-1] else np.interp(np.log(size), np.log(finite), np.arange(len(finite))) + 0.5
    )
