"""Phase diagram of a grid: what is learned of each lag from N sequences, a panel for each architecture."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from learnability.report.findings import number
from learnability.report.style import Style, heading, headline
from studies.ground_truth.contest import MOST_SEEDS

COLUMNS = 3
EDGE: Any = {"markeredgecolor": "k", "markeredgewidth": 0.4}


def draw(trials: pd.DataFrame, half_learned: pd.DataFrame, style: Style) -> Figure:
    """Median share r/c over seeds as shade, N₅₀ with its interval as a mark where a lag is learned.

    Args:
        trials: of one grid after one number of updates, as of `studies.ground_truth.contest.thresholds`.
        half_learned: of `studies.ground_truth.contest.half_learned`, of the same grid.
    """
    learned = half_learned[half_learned["learned"] >= MOST_SEEDS]
    rows = -(-len(style.architectures) // COLUMNS)
    figure, axes = style.panels(rows, COLUMNS, height_mm=38)
    sizes, lags = (np.sort(trials[name].unique()) for name in ("sample_size", "lag"))
    for ax, architecture in zip(axes, style.architectures, strict=False):
        own = trials[trials["architecture"] == architecture]
        share = own.groupby(["lag", "sample_size"])["share"].median().unstack().reindex(index=lags, columns=sizes)
        mesh = ax.pcolormesh(share.to_numpy(), cmap="viridis", vmin=0, vmax=1)
        for row in learned[learned["architecture"] == architecture].to_dict("records"):
            at, low, high = (_place(row[name], sizes) for name in ("n50", "n50_low", "n50_high"))
            y = int(np.searchsorted(lags, row["lag"])) + 0.5
            ax.errorbar(
                at, y, xerr=[[at - low], [high - at]], fmt="o", color="white", markersize=3, linewidth=0.8, **EDGE
            )
        ax.set_xticks(np.arange(len(sizes)) + 0.5, ["∞" if np.isinf(size) else f"{size:g}" for size in sizes])
        ax.set_yticks(np.arange(len(lags)) + 0.5, [f"{lag}" for lag in lags])
        ax.tick_params(axis="x", labelrotation=90)
        heading(ax, style.labels[architecture])
    for ax in axes[len(style.architectures) :]:
        ax.remove()
    figure.supxlabel("sequences N", fontsize=style.font_size)
    figure.supylabel("lag ℓ (steps)", fontsize=style.font_size)
    figure.colorbar(
        mesh,
        ax=list(axes[: len(style.architectures)]),
        location="top",
        shrink=0.5,
        aspect=30,
        label="learned share r/c",
    )
    told = learned.groupby("lag")["n50"].agg(["min", "max"])
    in_words = told.map(lambda size: _words(size, sizes))
    ranges = "; ".join(f"lag {lag}: {' to '.join(dict.fromkeys(ends))}" for lag, *ends in in_words.itertuples())
    headline(figure, f"Sequences from which a lag is learned, by architecture: {ranges}")
    return figure


def _place(size: float, sizes: np.ndarray) -> float:
    """Where N lies among the columns, in their logarithm; at the edge of them beyond the grid."""
    finite = sizes[np.isfinite(sizes)]
    if size < finite[0]:
        return 0.0
    return float(
        len(finite) if size > finite[-1] else np.interp(np.log(size), np.log(finite), np.arange(len(finite))) + 0.5
    )


def _words(size: float, sizes: np.ndarray) -> str:
    """N₅₀; beyond the N that were tried, so."""
    finite = sizes[np.isfinite(sizes)]
    return f"below {finite[0]:g}" if size == 0 else f"above {finite[-1]:g}" if np.isinf(size) else number(size)
