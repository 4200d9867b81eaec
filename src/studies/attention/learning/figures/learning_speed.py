"""Updates until networks copy and denoise, by each recipe, as compared in Figs. 4 to 6 of Kerg et al. 2020."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.findings import percent
from learnability.report.panels import label_point, name_rows, plain_log
from learnability.report.style import Style, Tables, conclude, heading, legend
from studies.attention.drawn.recipes import AS_PRINTED, BY_CODE, face
from studies.attention.trained_tables import BY, LONGER, MOST, NEARLY_ALL, PRINTED, longest, of_copying

PANELS = 4
"""Panels, one for a task at a delay: the pairs with the most networks are drawn."""
FASTEST = 2
"""Networks of a panel whose updates are written beside their marks."""
ENDS = Line2D([], [], color="k", marker="|", label=f"from {percent(MOST)} to {percent(NEARLY_ALL)} of the symbols")
NEVER = Line2D([], [], color="k", marker=">", linestyle="", label="not learned after all updates, and its share")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `learning_speed`, networks from the fastest to the slowest."""
    speed = longest(of_copying(tables["learning_speed"], "", LONGER, BY))
    places = speed.groupby(["task", "at_delay"])["architecture"].nunique().nlargest(PANELS).sort_index().index.tolist()
    figure, axes = style.panels(len(places), min(2, len(places)), height_mm=62, sharex=True)
    for ax, (task, delay) in zip(axes, places, strict=True):
        _speeds(ax, speed[(speed["task"] == task) & (speed["at_delay"] == delay)], style)
        plain_log(ax, "x")
        heading(ax, f"{task}, T = {delay}")
        ax.set(xlabel="updates")
    if speed["updates"].notna().any():  # at small sizes no network may learn
        axes[0].set_xlim(left=0.3 * speed["updates"].min())
    conclude(figure, "orth-RNN and expRNN copy after the fewest updates; at T = 100 RelRNN denoises first")
    legend(figure, BY_CODE, AS_PRINTED, ENDS, NEVER)
    return figure


def _speeds(ax: Axes, rows: pd.DataFrame, style: Style) -> None:
    """A line for each network: its updates by each recipe, or where its training ended without success."""
    best = rows.assign(updates=rows["updates"].fillna(np.inf), missed=-rows["accuracy"])
    names = best.sort_values(["updates", "missed"])["architecture"].unique().tolist()
    fewest = best.groupby("architecture")["updates"].min()
    farthest = rows["updates"].fillna(rows["all_updates"]).groupby(rows["architecture"]).max()
    for row in rows.to_dict("records"):
        height = names.index(row["architecture"]) + (0.18 if row["recipe"] == PRINTED else -0.18)
        colour = style.colours[row["architecture"]]
        inside = face(row["recipe"], colour)
        mark: dict[str, Any] = {"color": colour, "markerfacecolor": inside, "markersize": 4, "zorder": 3}
        if np.isnan(row["updates"]):
            ax.plot(row["all_updates"], height, marker=">", **mark)
            right = row["all_updates"] >= farthest[row["architecture"]]  # where no other mark is in the way
            ax.annotate(
                percent(row["accuracy"]),
                (row["all_updates"], height),
                xytext=(4 if right else -4, 0),
                textcoords="offset points",
                ha="left" if right else "right",
                va="center",
            )
        else:
            ax.plot([row["updates"], row["updates_to_99"]], [height, height], color=colour, marker="|", markersize=5)
            ax.plot(row["updates"], height, marker="o", **mark)
            if row["architecture"] in names[:FASTEST] and row["updates"] == fewest[row["architecture"]]:
                label_point(ax, f"{row['updates']:,.0f}", (row["updates"], height), (-4, 0))
    name_rows(ax, names, style)
