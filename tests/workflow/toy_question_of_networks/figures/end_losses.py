"""Validation losses at the end of training."""

from matplotlib.figure import Figure

from learnability.report.style import Style, Tables, headline


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `curve`."""
    figure, (ax,) = style.panels(1)
    ends = tables["curve"].groupby("architecture")["validation_loss"].last()
    ax.plot([style.labels[name] for name in ends.index], ends, "o")
    ax.set(xlabel="architecture", ylabel="validation loss")
    headline(figure, "Losses at the end of training")
    return figure
