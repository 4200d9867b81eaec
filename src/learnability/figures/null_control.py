"""The null control: how often a window opens where there is nothing to find, by each kind of transport."""

from matplotlib.figure import Figure

from learnability.figures.panels import by_architecture, seed_band
from learnability.figures.style import Style, Tables


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `null`."""
    chosen = tables["null"][tables["null"]["chosen"]]
    figure, axes = style.panels(2, height_mm=52)
    for ax, transport in zip(axes, ("first_order", "exact"), strict=True):
        for architecture, rows in by_architecture(chosen[chosen["transport"] == transport], style):
            seed_band(ax, rows, "sample_size", "rate", architecture, style, marker="o", markersize=2.5)
        level = float(chosen["level"].iloc[0])
        ax.axhline(level, color="k", linestyle=":", linewidth=0.7, label=f"stated level, {level:g}")
        ax.set_xscale("log")
        ax.set(xlabel="sequences N", ylabel=f"false windows, {transport.replace('_', ' ')}", ylim=(-0.03, 1.03))
    axes[0].legend()
    return figure
