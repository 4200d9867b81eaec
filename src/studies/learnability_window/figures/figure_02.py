"""Figure 2: learnability windows Ĥ_N against the number of sequences N."""

from matplotlib.figure import Figure

from learnability.report.panels import windows
from learnability.report.style import Style, Tables


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `window`, under the reading's criterion."""
    figure, (ax,) = style.panels(1)
    windows(ax, tables["window"], style)
    ax.legend()
    return figure
