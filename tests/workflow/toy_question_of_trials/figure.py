"""Shares of seeds over lags."""

from matplotlib.figure import Figure

from learnability.report.style import Style, Tables, headline


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `half_learned`."""
    figure, (ax,) = style.panels(1)
    ax.plot("lag", "learned", "o", data=tables["half_learned"])
    ax.set(xlabel="lag ℓ (steps)", ylabel="share of seeds")
    headline(figure, "Fewer seeds learn long lags")
    return figure
