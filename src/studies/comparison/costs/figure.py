"""Mean score against what a cell costs, and who is not beaten at any cost."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learnability.report.panels import level_labels, plain_log
from learnability.report.style import GREY, Style, Tables, conclude, heading
from studies.comparison.costs.fronts import front
from studies.comparison.drawn import legend_of_families

COSTS = {
    "multiply_adds": ("computation", "multiply-adds of a gradient, a step"),
    "kept_bytes": ("memory of training", "bytes kept for the backward pass, a step"),
    "state": ("memory of use", "numbers in the state"),
}
"""Name of a panel and of its axis, by column."""
TOP, SPACING = 0.98, 0.07
"""Place of the first label, and from one to the next, as shares of an axis."""


def draw(tables: Tables, style: Style) -> Figure:
    """A panel for each cost, from `costs`; cells on the front are named."""
    table = tables["costs"]
    figure, axes = style.panels(len(COSTS), height_mm=75, sharey=True)
    for ax, (name, (title, text)) in zip(axes, COSTS.items(), strict=True):
        best = table[front(table, name)].sort_values(name)
        ax.step(best[name], best["score"], where="post", color="k", linewidth=1)
        ax.scatter(table[name], table["score"], c=table["architecture"].map(style.colours), s=10, zorder=3)
        ax.set(xlabel=text, ylabel="mean score over tasks")
        ax.margins(x=0.15, y=0.2)
        plain_log(ax, "x")
        level_labels(ax)
        _label(ax, best, name, style)
        heading(ax, title)
    conclude(figure, "The costliest cells are not the best; cells on the line are beaten by no cheaper one")
    legend_of_families(figure, pd.DataFrame(table), style)
    return figure


def _label(ax: Axes, best: pd.DataFrame, name: str, style: Style) -> None:
    """Names of a front in a column, the highest score on top, each with a line to its dot."""
    is_right = np.log(best[name].iloc[-1]) < np.log(ax.get_xlim()).mean()
    for place, row in enumerate(best.sort_values("score", ascending=False).to_dict("records")):
        ax.annotate(
            style.labels[row["architecture"]],
            (row[name], row["score"]),
            xytext=(0.5 if is_right else 0.02, TOP - SPACING * place),
            textcoords="axes fraction",
            va="center",
            arrowprops={
                "arrowstyle": "-",
                "color": GREY,
                "linewidth": 0.6,
                "linestyle": ":",
                "shrinkA": 0,
                "shrinkB": 2,
            },
        )
