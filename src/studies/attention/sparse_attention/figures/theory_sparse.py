"""Theorem 2: ds_T/dh_t through a chain of attention, over its depth and over T."""

from typing import Any

import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import log_lags, plain_log
from learnability.report.style import DASHES, GREY, MARKERS, Style, Tables, heading, headline, legend

EIGENVALUE = 0.6
"""Eigenvalue of the chains that are drawn."""
SIGNS = ((0.4, "λ = 0.4"), (-0.4, "λ = -0.4"))
TITLES = {"visited": "each link used once", "held": "every step attends"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `chains` and `lengths` of `studies.attention.theory.sparse`."""
    chains, lengths = tables["theory_chains"], tables["theory_lengths"]
    figure, axes = style.panels(4, 2, height_mm=52)
    selection = chains[(chains["real"] == EIGENVALUE) & (chains["imaginary"] == 0)]
    for ax, (layout, title) in zip(axes[:2], TITLES.items(), strict=True):
        rows = selection[selection["layout"] == layout]
        for place, (sparsity, group) in enumerate(rows.groupby("sparsity")):
            colour = colormaps["viridis"](0.28 * place)
            ax.plot(group["depth"], group["printed"], color=GREY, linewidth=2, zorder=1)
            ax.plot(group["depth"], group["bound"], color=colour, linewidth=0.9)
            ax.plot(group["depth"], group["size"], MARKERS[place], color=colour, markersize=3, label=f"κ = {sparsity}")
        plain_log(ax, "y")
        ax.set(xlabel="depth d", ylabel=f"|C_T|, λ = {EIGENVALUE:g}", xticks=sorted(rows["depth"].unique()))
        heading(ax, title, ncols=2)
    axes[3].sharey(axes[2])
    for ax, (eigenvalue, title) in zip(axes[2:], SIGNS, strict=True):
        _over_length(ax, lengths[lengths["eigenvalue"] == eigenvalue], title)
    headline(figure, "Attention of bounded depth keeps the gradient over any length")
    legend(
        figure,
        Line2D([], [], color=GREY, linewidth=2, label="κ⁻ᵈ: Theorem 2 read with a constant of 1"),
        Line2D([], [], color="k", linewidth=0.9, label="(λ/κ)ᵈ/κ"),
        Line2D([], [], color="k", marker="o", linestyle="", markersize=3, label="measured"),
    )
    return figure


def _over_length(ax: Axes, rows: pd.DataFrame, title: str) -> None:
    """|C_T| over T for each kind of attention."""
    for place, (name, group) in enumerate(rows.groupby("attention", sort=False)):
        look: dict[str, Any] = {"marker": MARKERS[place], "markersize": 2.5, "color": colormaps["viridis"](0.4 * place)}
        ax.plot(group["length"], group["size"], linestyle=DASHES[place], label=name, **look)
    log_lags(ax)
    plain_log(ax, "y")
    ax.set(xlabel="length T (steps)", ylabel="|C_T|")
    heading(ax, title, ncols=1)
