"""Recall of the same networks over training by several recipes."""

from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.findings import percent
from learnability.report.panels import plain_log, seed_band
from learnability.report.style import BAND, GREY, PUBLISHED, Style, Tables, conclude, heading, legend, note
from studies.attention.trained_tables import BY, LONGER, MOST, PRINTED, of_copying, with_updates

DOTS = (0, (1, 1))
THRESHOLD: dict[str, Any] = {"color": "k", "linestyle": (0, (4, 2)), "linewidth": 0.6}
"""Line at the share from which a network counts as one that has learned."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `curve`, learning curves with `experiment`, and the tables `recipes` and `learning_speed`."""
    recipes, curves = tables["recipes"], of_copying(tables["curve"], "", LONGER, BY)
    curves = with_updates(curves, tables["learning_speed"])
    curves = curves.assign(thousands=curves["updates"] / 1000)
    panels = list(recipes.groupby(["task", "delay"], sort=False))
    figure, axes = style.panels(max(1, len(panels)), min(2, max(1, len(panels))), height_mm=50, sharey=True)
    for ax, ((task, delay), rows) in zip(axes, panels, strict=False):
        for row in rows.to_dict("records"):
            curve = curves[
                (curves["experiment"] == row["experiment"]) & (curves["architecture"] == row["architecture"])
            ]
            line = {"linestyle": DOTS, "label": "_"} if row["recipe"] == PRINTED else {"linestyle": "-"}
            seed_band(ax, curve, "thousands", "validation_accuracy", row["architecture"], style, **line)
        for share in rows["paper"].dropna().unique():
            ax.axhline(share, color=GREY, linewidth=0.8, zorder=0)
        ax.axhline(MOST, zorder=1, **THRESHOLD)
        by_code, as_printed = _learners(rows)
        text = f"by code {by_code} of {rows['architecture'].nunique()},\nas printed {as_printed}"
        ax.text(0.02, 0.87 * MOST, text, transform=ax.get_yaxis_transform(), va="top")
        heading(ax, f"{task}, T = {delay}", ncols=5)
        plain_log(ax, "x")
        ax.set(xlabel="updates, thousands", ylabel="share recalled", ylim=(-0.03, 1.03))
    conclude(figure, "More networks learn by the recipe of public code than as printed, nowhere fewer")
    if not panels:
        note(axes[0], "No network was trained by several recipes.")
    by_code, as_printed = _learners(recipes)
    lines = [
        Line2D([], [], color="k", label=f"recipe of public code: {by_code} learn"),
        Line2D([], [], color="k", linestyle=DOTS, label=f"as printed: {as_printed} learn"),
        Line2D([], [], label=percent(MOST), **THRESHOLD),
    ]
    legend(figure, *lines, BAND, PUBLISHED)
    return figure


def _learners(recipes: pd.DataFrame) -> tuple[int, int]:
    """How many networks have learned, by the recipe of public code and as printed."""
    is_learned, is_printed = recipes["measured"] >= MOST, recipes["recipe"] == PRINTED
    return int((is_learned & ~is_printed).sum()), int((is_learned & is_printed).sum())
