"""Ranks of all cells at all tasks."""

import numpy as np
from matplotlib.figure import Figure

from learnability.report.style import Style, Tables, conclude
from studies.comparison.drawn import ROW_LINE, label_columns, legend_of_families, name_in_lines


def draw(tables: Tables, style: Style) -> Figure:
    """A row for each task and one of means, a column for each cell, the best mean on the left, from `performance`."""
    table = tables["performance"]
    ranks = table.pivot(index="contest", columns="architecture", values="rank").reindex(table["contest"].unique())
    ranks = ranks[ranks.mean().sort_values(kind="stable").index]
    figure, (ax,) = style.panels(1, height_mm=30 + 9 * (len(ranks) + 1))
    values = ranks.to_numpy(float)
    mesh = ax.pcolormesh(values, cmap="viridis_r", vmin=1, edgecolors="white", linewidth=0.6)
    middle = np.nanmean(values)
    for (row, column), rank in np.ndenumerate(values):
        if np.isfinite(rank):
            colour = "white" if rank > middle else "black"
            ax.text(column + 0.5, row + 0.5, f"{rank:.0f}", ha="center", va="center", color=colour)
    for column, mean in enumerate(ranks.mean()):
        ax.text(column + 0.5, len(ranks) + 0.5, f"{mean:.1f}", ha="center", va="center", rotation=90)
    ax.set_yticks(
        np.arange(len(ranks) + 1) + 0.5, [*(name_in_lines(contest, ROW_LINE) for contest in ranks.index), "mean rank"]
    )
    ax.set_ylim(len(ranks) + 1, 0)
    label_columns(ax, ranks.columns.tolist(), style)
    figure.colorbar(mesh, ax=ax, label="rank, 1 is the best", aspect=15)
    conclude(figure, "No cell ranks near the top at every task")
    legend_of_families(figure, table, style)
    return figure
