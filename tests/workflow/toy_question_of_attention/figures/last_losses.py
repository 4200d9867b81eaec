"""Validation losses at the end of training."""

from matplotlib.figure import Figure

from learnability.report.style import Style, Tables, headline


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `last_losses`."""
    figure, (ax,) = style.panels(1)
    table = tables["last_losses"]
    ax.plot(table["architecture"].map(style.labels), table["validation_loss"], "o")
    ax.set(xlabel="architecture", ylabel="validation loss")
    headline(figure, "Losses at the end of training")
    return figure
