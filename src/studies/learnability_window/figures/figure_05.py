"""Figure 5: distribution over lags of the tail index α̂(ℓ)."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from learnability.report.panels import by_architecture
from learnability.report.style import Style, Tables

BINS = np.linspace(0.8, 2.0, 49)


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `noise` and `references`.

    Lags of all seeds; bars below are the median bootstrap interval of a lag. Lags under the reading's numerical floor
    count as α̂ = 2. Lines are what the reading's estimator says of laws of finite variance.
    """
    figure, (ax,) = style.panels(1, height_mm=50 + 4 * len(style.architectures))
    below = ax.get_xaxis_transform()
    for row, (architecture, rows) in enumerate(by_architecture(tables["noise"], style)):
        alpha = rows["alpha"].dropna()
        weights = np.full(len(alpha), 1 / max(len(alpha), 1))
        label = f"{style.labels[architecture]} ({rows['floored'].mean():.0%} floored)"
        ax.hist(alpha, BINS, weights=weights, histtype="stepfilled", alpha=0.35, color=style.colours[architecture])
        ax.hist(alpha, BINS, weights=weights, histtype="step", color=style.colours[architecture], label=label)
        if "alpha_low" in rows:
            ends, middle = rows[["alpha_low", "alpha_high"]].median(), alpha.median()
            ax.plot(ends, [0.02 + 0.03 * row] * 2, transform=below, color=style.colours[architecture])
            ax.plot(middle, 0.02 + 0.03 * row, "|", transform=below, color=style.colours[architecture])
    halo = [withStroke(linewidth=2, foreground="white")]
    references = tables["references"]
    for row in references[references["estimator"] == tables["noise"]["estimator"].iloc[0]].itertuples():
        ax.axvline(row.alpha, color="k", linewidth=0.6, linestyle=":")
        at = (row.alpha, 0.98)
        ax.annotate(row.law, at, xycoords=below, rotation=90, ha="right", va="top", path_effects=halo)
    ax.set(xlabel="tail index α̂(ℓ)", ylabel="share of lags")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1))
    return figure
