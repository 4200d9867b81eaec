"""What was learned: responses of predictions to the input at each lag, and what the loss is made of."""

import numpy as np
from matplotlib.figure import Figure

from learnability.report.panels import by_architecture, seed_band
from learnability.report.style import Style, Tables

SHADES = {"noise": "0.85", "missing": "0.25", "echoes": "0.5", "bias": "0.0", "rest": "0.7"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `response` and `loss`, a line and a bar for each architecture."""
    figure, (ax, bars) = style.panels(2, height_mm=62)
    response = tables["response"]
    for architecture, rows in by_architecture(response, style):
        seed_band(ax, rows, "lag", "response", architecture, style, linewidth=0.6)
    asked = response[response["coefficient"] != 0].drop_duplicates("lag")
    ax.plot(asked["lag"], asked["coefficient"], "k+", markersize=5, label="task")
    ax.axhline(0, color="0.8", linewidth=0.5, zorder=0)
    ax.set(xlabel="lag ℓ (steps)", ylabel="response r(ℓ)")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.1), ncols=2)
    names = [style.labels[architecture] for architecture in style.architectures]
    means = tables["loss"].groupby(["part", "architecture"])["loss"].mean()
    left = np.zeros(len(names))
    for part, shade in SHADES.items():
        # Chance may leave a part a little below 0.
        width = means[part].loc[list(style.architectures)].clip(lower=0).to_numpy()
        bars.barh(names, width, left=left, color=shade, label=part)
        left += width
    bars.invert_yaxis()
    bars.set(xlabel="squared error", ylabel="architecture")
    bars.legend(loc="lower center", bbox_to_anchor=(0.5, 1.1), ncols=3)
    return figure
