"""Gates through training: median and 5-95 % range over units, times and sequences."""

from matplotlib.figure import Figure

from learnability.figures.panels import by_architecture
from learnability.figures.style import Style, Tables


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `gates`, medians over seeds."""
    figure, axes = style.panels(len(style.architectures), height_mm=38)
    for ax, (architecture, rows) in zip(axes, by_architecture(tables["gates"], style), strict=True):
        medians = rows.groupby("epoch").median(numeric_only=True)
        colour = style.colours[architecture]
        ax.plot(medians.index, medians["q50"], color=colour)
        ax.fill_between(medians.index, medians["q05"], medians["q95"], color=colour, alpha=0.2, linewidth=0)
        ax.set_title(style.labels[architecture])
        ax.set(xlabel="epoch", ylabel="gate s", ylim=(0, 1))
    return figure
