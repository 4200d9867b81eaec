"""Appendix D: Kullback-Leibler divergence beside the paper's bound, and the Fisher information behind it."""

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from learnability.report.panels import plain_log
from learnability.report.style import Style, Tables, heading, headline
from studies.learnability_window.appendices.figures.theory_panels import by_tail_index

ENDS, TOP = (1.1, 2), 16
"""Tail indices whose curves are named, and the end of the axis of the divergence."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `divergence` and `information` of `studies.learnability_window.theory.divergence`."""
    figure, (ratio, growth, information) = style.larger().panels(3, height_mm=72)
    for alpha, rows, colour in by_tail_index(tables["divergence"]):
        ratio.plot(rows["shift"], rows["ratio"], color=colour)
        growth.plot(rows["shift"], rows["divergence"], color=colour)
        last = rows.iloc[-1]
        if alpha in ENDS:
            beyond = np.interp(TOP, rows["divergence"], rows["shift"])  # where a curve leaves the panel
            at = (min(beyond, last["shift"]), min(TOP, last["divergence"]))
            offset = (-4, -8) if alpha == 2 else (8, -60)
            place: dict[str, Any] = {"textcoords": "offset points", "ha": "right", "va": "top"}
            growth.annotate(f"α = {alpha:g}", at, xytext=offset, **place)
        if alpha < 2:
            tail = last["divergence"] + (1 + alpha) * np.log(rows["shift"] / last["shift"])
            growth.plot(rows["shift"][tail > 0], tail[tail > 0], color=colour, linestyle=":", linewidth=0.7)
    ratio.axhline(1, color="k", linestyle=":", linewidth=0.7)
    ratio.text(0.04, 0.42, "below 1 the\nbound fails", transform=ratio.transAxes)
    ratio.set(xlabel="separation h (scales)", ylabel="KL / (c h²), c = I/2", ylim=(0, 1.08))
    heading(ratio, "relative to the bound")
    heading(growth, "divergence")
    heading(information, "Fisher information")
    headline(figure, "The paper's lower bound on the divergence fails")
    growth.set(xlabel="separation h (scales)", ylabel="KL", ylim=(0, TOP))
    for ax in (ratio, growth):
        plain_log(ax, "x")
    table = tables["information"]
    information.plot(table["alpha"], table["information"], color="k")
    least = table.sort_values("information").iloc[0]
    information.plot(least["alpha"], least["information"], "ko", markersize=3)
    text = f"least near α = {least['alpha']:.2f}"
    information.text(least["alpha"], least["information"] - 0.014, text, ha="center")
    information.set(xlabel="tail index α", ylabel="Fisher information I", ylim=(0.4, 0.51))
    return figure
