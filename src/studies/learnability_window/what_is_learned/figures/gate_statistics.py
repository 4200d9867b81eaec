"""Gates through training: median and 5-95 % range over units, times and sequences."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from learnability.report.panels import by_architecture, label_point
from learnability.report.style import Style, Tables, heading, headline, legend

MEDIAN = Line2D([], [], color="k", linewidth=0.8, label="median, a line for each seed")
RANGE = Patch(color="k", alpha=0.15, linewidth=0, label="5 % to 95 % of units, t and sequences")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `gates`, a line and a band for each seed; all panels on one scale."""
    figure, axes = style.panels(len(style.architectures), sharey=True)
    for ax, (architecture, rows) in zip(axes, by_architecture(tables["gates"], style), strict=True):
        colour = style.colours[architecture]
        for _, gates in rows.groupby("seed"):
            ax.plot(gates["epoch"], gates["q50"], color=colour, linewidth=0.8)
            ax.fill_between(gates["epoch"], gates["q05"], gates["q95"], color=colour, alpha=0.15, linewidth=0)
        ends = [
            rows.loc[rows["epoch"] == epoch, "q50"].median() for epoch in (rows["epoch"].min(), rows["epoch"].max())
        ]
        heading(ax, style.labels[architecture])
        label_point(ax, f"median {ends[0]:.2f}", (rows["epoch"].min(), ends[0]), (1, 22), color=colour)
        label_point(ax, f"{ends[1]:.2f}", (rows["epoch"].max(), ends[1]), (-1, 22), color=colour)
        ax.set(xlabel="epoch", ylabel="gate s")
    axes[0].set_ylim(0, 1)
    headline(figure, "Gates through training")
    legend(figure, MEDIAN, RANGE)
    return figure
