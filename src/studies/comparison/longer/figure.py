"""Scores at the steps of the training, and at twice as many."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.style import GREY, Style, Tables, heading, headline
from studies.comparison.drawn import ROW_MM, connect, guess, label_rows, legend_of_families
from studies.comparison.tasks import MEAN, words


def draw(tables: Tables, style: Style) -> Figure:
    """A panel for each task and one of means, a row for each cell, the highest mean on top, from `longer`."""
    table = tables["longer"]
    means = table.groupby(["family", "architecture"], sort=False)[["score", "longer"]].mean().reset_index()
    table = pd.concat([table, means.assign(contest=MEAN)])
    names = table.groupby("architecture")["longer"].mean().sort_values(ascending=False, kind="stable").index.tolist()
    contests = table["contest"].unique()
    figure, axes = style.panels(len(contests), len(contests), height_mm=14 + ROW_MM * len(names), sharex=True)
    for panel, (ax, contest) in enumerate(zip(axes, contests, strict=True)):
        connect(ax, table[table["contest"] == contest], names, {"score": "|", "longer": "o"}, style)
        guess(ax)
        label_rows(ax, names, style, is_labelled=panel == 0)
        ax.set(xlim=(-0.25, 1.15), xlabel="score")
        heading(ax, words(contest).removeprefix("the "))
    headline(figure, "What is left of a score at twice the steps of the training")
    keys = [
        Line2D([], [], color=GREY, marker="|", markersize=6, linestyle="", label="as trained"),
        Line2D([], [], color=GREY, marker="o", markersize=3, linestyle="", label="at twice the steps"),
    ]
    legend_of_families(figure, table, style, *keys)
    return figure
