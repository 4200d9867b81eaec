"""Appendix D: Kullback-Leibler divergence beside the paper's bound, and the Fisher information behind it."""

import numpy as np
from matplotlib.figure import Figure

from learnability.report.panels import plain_log
from learnability.report.style import Style, Tables, heading, headline
from studies.learnability_window.appendices.figures.theory_panels import by_tail_index


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `divergence` and `information` of `studies.learnability_window.theory.divergence`."""
    figure, (ratio, growth, information) = style.panels(3, height_mm=64)
    for alpha, rows, colour in by_tail_index(tables["divergence"]):
        at_ten = np.interp(10, rows["shift"], rows["ratio"])
        ratio.plot(rows["shift"], rows["ratio"], color=colour, label=f"α = {alpha:g}: {at_ten:.3f} at h = 10")
        growth.plot(rows["shift"], rows["divergence"], color=colour)
        if alpha < 2:
            last = rows.iloc[-1]
            tail = last["divergence"] + (1 + alpha) * np.log(rows["shift"] / last["shift"])
            growth.plot(rows["shift"][tail > 0], tail[tail > 0], color=colour, linestyle=":", linewidth=0.7)
    ratio.axhline(1, color="k", linestyle=":", linewidth=0.7)
    ratio.text(0.03, 0.35, "the paper's bound\nfails below 1", transform=ratio.transAxes)
    ratio.set(xlabel="separation h (scales)", ylabel="KL / (c h²), c = I/2", ylim=(0, 1.08))
    heading(ratio, "divergence over the paper's bound", ncols=1)
    heading(growth, "divergence; dotted: (1 + α) log h")
    heading(information, "Fisher information of the location")
    headline(figure, "The paper's lower bound on the divergence fails")
    growth.set(xlabel="separation h (scales)", ylabel="KL", ylim=(0, 16))
    for ax in (ratio, growth):
        plain_log(ax, "x")
    table = tables["information"]
    information.plot(table["alpha"], table["information"], color="k")
    least = table.sort_values("information").iloc[0]
    information.plot(least["alpha"], least["information"], "ko", markersize=3)
    text = f"least {least['information']:.4f} near α = {least['alpha']:.2f}"
    information.text(least["alpha"], least["information"] - 0.014, text, ha="center")
    information.set(xlabel="tail index α", ylabel="Fisher information I", ylim=(0.4, 0.51))
    return figure
