"""Scores of every cell at every task: means over seeds with intervals, the best on average on top."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.style import Style, Tables, heading, headline
from studies.comparison.drawn import ROW_MM, guess, label_rows, legend_of_families
from studies.comparison.tasks import MEAN, words


def draw(tables: Tables, style: Style) -> Figure:
    """A panel for each task and one of means over tasks, a row for each cell, from `performance` and `overall`."""
    names = tables["overall"]["architecture"].tolist()
    table = pd.concat([tables["performance"], tables["overall"].assign(contest=MEAN)])
    contests = table["contest"].unique()
    figure, axes = style.panels(len(contests), len(contests), height_mm=14 + ROW_MM * len(names), sharex=True)
    for panel, (ax, contest) in enumerate(zip(axes, contests, strict=True)):
        rows = table[table["contest"] == contest].set_index("architecture")
        for place, name in enumerate(names):
            if name in rows.index:
                row, colour = rows.loc[name], style.colours[name]
                ax.hlines(place, row["score_low"], row["score_high"], color=colour, linewidth=1)
                ax.plot(row["score"], place, "o", color=colour, markersize=3)
        guess(ax)
        label_rows(ax, names, style, is_labelled=panel == 0)
        ax.set(xlim=(-0.25, 1.15), xlabel="score")
        heading(ax, words(contest).removeprefix("the "))
    headline(figure, "What each cell learns of each task, at equal parameters and tuned rates")
    legend_of_families(figure, table, style, Line2D([], [], color="k", linewidth=1, label="95 % interval over seeds"))
    return figure
