"""Gates through training: median and 5-95 % range over units, times and sequences."""

from matplotlib.figure import Figure

from learnability.report.panels import by_architecture
from learnability.report.style import Style, Tables


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `gates`, a line and a band for each seed."""
    figure, axes = style.panels(len(style.architectures), height_mm=38)
    for ax, (architecture, rows) in zip(axes, by_architecture(tables["gates"], style), strict=True):
        colour = style.colours[architecture]
        for _, gates in rows.groupby("seed"):
            ax.plot(gates["epoch"], gates["q50"], color=colour, linewidth=0.8)
            ax.fill_between(gates["epoch"], gates["q05"], gates["q95"], color=colour, alpha=0.15, linewidth=0)
        ax.set_title(style.labels[architecture])
        ax.set(xlabel="epoch", ylabel="gate s", ylim=(0, 1))
    return figure
