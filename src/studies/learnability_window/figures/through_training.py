"""Through training: which lag the gradient sees when, which is learned when, and the loss; of one architecture."""

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learnability.report.panels import seed_band
from learnability.report.style import Style, Tables

CURVES = 4
"""Lags of the task that are drawn at most, from the smallest to the largest."""
HIGHEST = 1e8
"""N̂ above it lie on the upper edge."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `training_windows`, `training_responses` and `curve`, medians and ranges over seeds."""
    windows, responses, (architecture,) = tables["training_windows"], tables["training_responses"], style.architectures
    own = windows[(windows["control"] == "none") & (windows["noise"] == "total")]
    asked = responses[responses["coefficient"] != 0]
    figure, (needed, learned, loss) = style.panels(3, height_mm=42)
    within = np.sort(asked.loc[asked["lag"].isin(own["lag"]), "lag"].unique())
    lags = within[np.unique(np.linspace(0, len(within) - 1, CURVES).round().astype(int))]
    bounded = own.assign(needed=np.exp(np.minimum(own["log_sample_complexity"], np.log(HIGHEST))))
    shares = asked.assign(share=asked["response"] / asked["coefficient"])
    for number, lag in enumerate(lags):
        line = {"color": colormaps["viridis"](number / CURVES), "label": f"lag {lag}", "marker": "osD^"[number]}
        for ax, table, y in ((needed, bounded, "needed"), (learned, shares, "share")):
            seed_band(ax, table[table["lag"] == lag], "epoch", y, architecture, style, markersize=2.5, **line)
    seed_band(loss, tables["curve"], "epoch", "validation_loss", architecture, style)
    needed.axhline(own["sequences"].max(), color="0.6", linewidth=0.7, linestyle="--", zorder=0)
    needed.set(yscale="log", ylabel="sequences to see it, N̂(ℓ)", ylim=(0.1, 2 * HIGHEST))
    learned.axhline(0.5, color="0.6", linewidth=0.7, linestyle="--", zorder=0)
    learned.set(ylabel="learned share r/c", ylim=(-0.1, 1.2))
    loss.set(ylabel="validation loss")
    for ax in (needed, learned, loss):
        _epochs(ax)
    needed.set_title(style.labels[architecture])
    needed.legend(loc="lower center", bbox_to_anchor=(0.5, 1.15), ncols=4, handlelength=1.2, columnspacing=1)
    return figure


def _epochs(ax: Axes) -> None:
    """Epochs on a logarithmic axis that begins with initialisation, 0."""
    ax.set_xscale("symlog", linthresh=1)
    ax.set_xlim(left=-0.1)
    ax.set_xlabel("epoch")
