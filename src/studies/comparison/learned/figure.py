"""Scores of every cell at every task: means over seeds, the best on average on top."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.style import Style, Tables, conclude, heading
from studies.comparison.drawn import beside_means, frame, heat, legend_of_families


def draw(tables: Tables, style: Style) -> Figure:
    """Left: means over tasks with intervals, from `overall`; right: a column for each task, from `performance`."""
    table, means = tables["performance"], tables["overall"].set_index("architecture")
    names, contests = means.index.tolist(), table["contest"].unique()
    figure, means_ax, tasks_ax = beside_means(names, style)
    for place, (name, row) in enumerate(means.iterrows()):
        colour = style.colours[str(name)]
        means_ax.hlines(place, row["score_low"], row["score_high"], color=colour, linewidth=1)
        means_ax.plot(row["score"], place, "o", color=colour, markersize=3)
    scores, ranks = (
        table.pivot(index="architecture", columns="contest", values=name).reindex(index=names, columns=contests)
        for name in ("score", "rank")
    )
    heat(tasks_ax, scores, "viridis", (0, 1), ranks == 1)
    heading(tasks_ax, "score at each task")
    conclude(figure, "The best cell of every task has gates or an orthogonal matrix")
    interval = Line2D([], [], color="k", linewidth=1, label="95 % interval over seeds")
    legend_of_families(figure, table, style, interval, frame("best of a task"))
    return figure
