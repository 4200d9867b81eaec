"""Phase diagram of a grid: what is learned of each lag from N sequences, a panel for each architecture."""

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from learnability.report.style import Style, Tables, heading, headline
from studies.ground_truth.contest import MOST_SEEDS
from studies.ground_truth.tables import last_look

EDGE: Any = {"markeredgecolor": "k", "markeredgewidth": 0.4}


def draw(tables: Tables, style: Style) -> Figure:
    """Median share r/c over seeds as shade, N₅₀ with its interval as a mark where a lag is learned."""
    trials, half_learned = (last_look(tables[name]) for name in ("trials", "half_learned"))
    learned = half_learned[half_learned["learned"] >= MOST_SEEDS]
    figure, axes = style.panels(len(style.architectures), height_mm=44, sharex=True, sharey=True)
    sizes, lags = (np.sort(trials[name].unique()) for name in ("sample_size", "lag"))
    for ax, architecture in zip(axes, style.architectures, strict=True):
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
    figure.supxlabel("sequences N", fontsize=style.font_size)
    figure.supylabel("lag ℓ (steps)", fontsize=style.font_size)
    figure.colorbar(mesh, ax=list(axes), location="top", shrink=0.5, aspect=30, label="learned share r/c")
    headline(figure, "How much of a lag is learned from N sequences")
    return figure


def _place(size: float, sizes: np.ndarray) -> float:
    """Where N lies among the columns, in their logarithm; at the edge of them beyond the grid."""
    finite = sizes[np.isfinite(sizes)]
    if size < finite[0]:
        return 0.0
    return float(
        len(finite) if size > finite[-1] else np.interp(np.log(size), np.log(finite), np.arange(len(finite))) + 0.5
    )
