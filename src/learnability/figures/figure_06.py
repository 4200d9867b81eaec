"""Figure 6: noise scale σ̂_α(ℓ) against lag."""

from matplotlib.figure import Figure

from learnability.figures.panels import by_architecture, plain_log, seed_band
from learnability.figures.style import Style, Tables


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `noise`; lags with no scale, or under the reading's numerical floor, are left out."""
    figure, (ax,) = style.panels(1, height_mm=60)
    positive = tables["noise"][tables["noise"]["scale"] > 0]
    for architecture, rows in by_architecture(positive, style):
        seed_band(ax, rows, "lag", "scale", architecture, style)
    ax.set(xlabel="lag ℓ (steps)", ylabel="noise scale σ̂(ℓ)")
    plain_log(ax, "y")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    return figure
