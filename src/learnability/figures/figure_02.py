"""Figure 2: learnability windows Ĥ_N against the number of sequences N."""

from matplotlib.figure import Figure

from learnability.figures.panels import by_architecture, seed_band
from learnability.figures.style import Style, Tables


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `window`, under the reading's criterion."""
    figure, (ax,) = style.panels(1)
    chosen = tables["window"][tables["window"]["chosen"]]
    for architecture, rows in by_architecture(chosen, style):
        seed_band(ax, rows, "sample_size", "horizon", architecture, style, marker="o", markersize=2.5)
    ax.set(xscale="log", xlabel="sequences N", ylabel="window Ĥ$_N$ (steps)")
    ax.set_ylim(bottom=-2)
    ax.legend()
    return figure
