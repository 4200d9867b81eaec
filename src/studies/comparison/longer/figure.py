"""Scores at the steps of the training, and at twice as many."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.style import GREY, Style, Tables, conclude, heading
from studies.comparison.drawn import beside_means, connect, heat, legend_of_families

LEAST = 0.1
"""Loss at which the darkest shade may stand."""


def draw(tables: Tables, style: Style) -> Figure:
    """Left: means over tasks, the highest at twice the steps on top; right: what is lost by task, from `longer`."""
    table = tables["longer"]
    means = table.groupby("architecture", sort=False)[["score", "longer"]].mean()
    names = means["longer"].sort_values(ascending=False, kind="stable").index.tolist()
    figure, means_ax, tasks_ax = beside_means(names, style)
    connect(means_ax, means.reset_index(), names, {"score": "|", "longer": "o"}, style)
    losses = table.pivot(index="architecture", columns="contest", values="lost").reindex(names)
    heat(tasks_ax, losses[table["contest"].unique()], "magma_r", (0, max(losses.max().max(), LEAST)))
    heading(tasks_ax, "what is lost at each task")
    conclude(figure, "At twice the steps scores fall most at counting and selective copying")
    keys = [
        Line2D([], [], color=GREY, marker="|", markersize=6, linestyle="", label="as trained"),
        Line2D([], [], color=GREY, marker="o", markersize=3, linestyle="", label="at twice the steps"),
    ]
    legend_of_families(figure, table, style, *keys)
    return figure
