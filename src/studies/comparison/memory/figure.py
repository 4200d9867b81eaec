"""Memory capacity against the score at the delayed sum, before and after training."""

from matplotlib.figure import Figure

from learnability.report.style import Style, Tables, heading, headline
from studies.comparison.drawn import legend_of_families

ENDS = {"capacity_start": "before training", "capacity_end": "after training"}


def draw(tables: Tables, style: Style) -> Figure:
    """A panel for each end of the training, from `memory`; those that remember most and least are named."""
    table = tables["memory"]
    figure, axes = style.panels(len(ENDS), height_mm=75, sharex=True, sharey=True)
    for ax, (column, text) in zip(axes, ENDS.items(), strict=True):
        ax.scatter(table[column], table["score"], c=table["architecture"].map(style.colours), s=10)
        ranking = table.sort_values(column, kind="stable")
        for row in [*ranking.head(1).to_dict("records"), *ranking.tail(1).to_dict("records")]:
            label = style.labels[row["architecture"]]
            ax.annotate(label, (row[column], row["score"]), xytext=(3, -3), textcoords="offset points", va="top")
        ax.set(xlabel="memory capacity, steps", ylabel="score at the delayed sum")
        ax.margins(x=0.18, y=0.1)
        heading(ax, text)
    headline(figure, "What a state recalls, and what a cell learns")
    legend_of_families(figure, table, style)
    return figure
