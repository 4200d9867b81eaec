"""Mean score against what a cell costs, and who is not beaten at any cost."""

import pandas as pd
from matplotlib.figure import Figure

from learnability.report.panels import plain_log
from learnability.report.style import GREY, Style, Tables, headline
from studies.comparison.costs.fronts import front
from studies.comparison.drawn import legend_of_families

COSTS = {
    "multiply_adds": "multiply-adds of a gradient, a step",
    "kept_bytes": "bytes kept for the backward pass, a step",
    "state": "numbers in the state",
}


def draw(tables: Tables, style: Style) -> Figure:
    """A panel for each cost, from `costs`; cells on the front are named."""
    table = tables["costs"]
    figure, axes = style.panels(len(COSTS), height_mm=75, sharey=True)
    for ax, (name, text) in zip(axes, COSTS.items(), strict=True):
        best = table[front(table, name)].sort_values(name)
        ax.step(best[name], best["score"], where="post", color=GREY, linewidth=0.8)
        ax.scatter(table[name], table["score"], c=table["architecture"].map(style.colours), s=10, zorder=3)
        for place, row in enumerate(best.to_dict("records")):
            below = place % 2
            offset, anchor = ((3, -7), "top") if below else ((-2, 4), "bottom")
            label = style.labels[row["architecture"]]
            ax.annotate(label, (row[name], row["score"]), xytext=offset, textcoords="offset points", va=anchor)
        ax.set(xlabel=text, ylabel="mean score over tasks")
        ax.margins(x=0.15, y=0.12)
        plain_log(ax, "x")
    headline(figure, "Score against cost; cells on the front are beaten by none that costs less")
    legend_of_families(figure, pd.DataFrame(table), style)
    return figure
