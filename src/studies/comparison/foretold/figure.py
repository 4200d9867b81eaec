"""Rank correlations of numbers before training with scores of cells."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.style import GREY, Style, Tables, conclude, heading, legend
from studies.comparison.drawn import ROW_LINE, name_in_lines

NUMBERS = {"noise": "noise scale B", "needed": "sequences N̂", "capacity": "memory capacity"}


def draw(tables: Tables, style: Style) -> Figure:
    """A panel for each number of the delayed sum, a row for each task that it is to tell, from `foretold`."""
    table = tables["foretold"]
    contests = table["contest"].unique().tolist()
    figure, axes = style.panels(len(NUMBERS), height_mm=16 + 7 * len(contests), sharex=True, sharey=True)
    for panel, (ax, (number, text)) in enumerate(zip(axes, NUMBERS.items(), strict=True)):
        rows = table[table["number"] == number].set_index("contest").reindex(contests)
        place = np.arange(len(contests))
        ax.hlines(place, rows["correlation_low"], rows["correlation_high"], color="k", linewidth=1)
        ax.plot(rows["correlation"], place, "o", color="k", markersize=4)
        ax.axvline(0, color=GREY, linewidth=0.7, linestyle="--", zorder=0)
        if panel == 0:
            ax.set_yticks(place, [name_in_lines(contest, ROW_LINE) for contest in contests])
        ax.set(xlim=(-1, 1), ylim=(len(contests) - 0.5, -0.5), xlabel="Spearman's ρ with the score")
        heading(ax, text)
    conclude(figure, "No number orders cells at every task; memory capacity does best, at the delayed sum")
    legend(figure, Line2D([], [], color="k", linewidth=1, label="95 % interval over cells"))
    return figure
