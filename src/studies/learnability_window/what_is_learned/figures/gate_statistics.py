"""Gates through training: median and 5-95 % range over units, times and sequences."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from learnability.report.panels import by_architecture, label_point
from learnability.report.style import Style, Tables, conclude, heading, legend

MEDIAN = Line2D([], [], color="k", linewidth=0.8, label="median, a line for each seed")
NEAR = 0.1
"""Change of a median gate up to which it ends near where it starts."""
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
    conclude(figure, _message(tables["gates"]))
    legend(figure, MEDIAN, RANGE)
    return figure


def _message(gates: pd.DataFrame) -> str:
    """Whether median gates end where they start."""
    medians = gates.groupby(["architecture", "epoch"])["q50"].median().groupby("architecture")
    is_near = (medians.last() - medians.first()).abs().max() < NEAR
    return "Median gates end near where they start" if is_near else "Median gates move in training"
