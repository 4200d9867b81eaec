"""Figure 6: noise scale σ̂_α(ℓ) against lag."""

import numpy as np
from matplotlib.figure import Figure

from learnability.report.panels import by_architecture, seed_band
from learnability.report.style import Style, Tables


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `noise`; a line breaks off where the median σ̂ is 0, under the reading's numerical floor."""
    figure, (ax,) = style.panels(1, height_mm=60)
    noise = tables["noise"]
    ends = [name for name in ("scale", "scale_low", "scale_high") if name in noise]
    with np.errstate(divide="ignore"):
        logarithms = noise.assign(**{name: np.log10(noise[name]) for name in ends})
    for architecture, rows in by_architecture(logarithms, style):
        seed_band(ax, rows, "lag", "scale", architecture, style)
    ax.set(xlabel="lag ℓ (steps)", ylabel="noise scale log₁₀ σ̂(ℓ)")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    return figure
