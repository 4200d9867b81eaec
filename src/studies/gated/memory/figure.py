"""Sections 14 and 15: memory of a reservoir over its spectral radius, NARMA-10, and distances by common suffix."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.findings import spread
from learnability.report.panels import label_point, plain_log
from learnability.report.style import BAND, GREY, MOST_CURVES, Style, Tables, conclude, heading, legend
from studies.gated.curves import look, over_seeds, pick_evenly
from studies.gated.memory.measure import INPUTS, RESERVOIR


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `memory_curves`, `memory_totals`, `memory_narma` and `memory_suffixes`."""
    figure, axes = style.panels(4, 2, height_mm=52)
    totals = tables["memory_totals"].assign(share=lambda rows: rows["capacity"] / rows["units"])
    _curves(axes[0], tables["memory_curves"])
    _capacity(axes[1], totals)
    _narma(axes[2], tables["memory_narma"])
    _suffixes(axes[3], tables["memory_suffixes"])
    conclude(figure, "Memory is longest near a radius of one with weak input, above it with strong")
    legend(figure, Line2D([], [], color=GREY, linewidth=1.5, label="(c) readout of as many last inputs"), BAND)
    return figure


def _curves(ax: Axes, table: pd.DataFrame) -> None:
    table = table[table["input_scale"] == table["input_scale"].min()]
    radii = pick_evenly(sorted(table["radius"].unique()), MOST_CURVES)
    for place, radius in enumerate(radii):
        over_seeds(ax, table[table["radius"] == radius], "lag", "recalled", **look(place, len(radii), f"{radius:.3g}"))
    longest = table.loc[table["recalled"] > 0.01, "lag"].max()
    ax.set(xlabel="lag ℓ (steps)", ylabel="recalled share r²", ylim=(-0.03, 1.03), xlim=(0, longest))
    heading(ax, "weak input, by spectral radius ρ", ncols=4)


def _capacity(ax: Axes, table: pd.DataFrame) -> None:
    scales = [table["input_scale"].min(), table["input_scale"].max()]
    for place, scale in enumerate(scales):
        rows = table[table["input_scale"] == scale]
        over_seeds(ax, rows, "radius", "share", **look(place, 2, f"{scale:.3g}") | {"markevery": 1})
        best = rows.pivot(index="seed", columns="radius", values="share").idxmax(axis=1)
        of_radius = rows.groupby("radius")["share"]
        at = float(best.min()), (of_radius.min() if place else of_radius.max())[best.min()]
        aside = (-2, -4) if place else (-2, 3)
        label_point(ax, f"most at {spread(best, str)}", at, aside, color=look(place, 2)["color"])
    ax.axvline(1, color="k", linewidth=0.5)
    ax.set(xlabel="spectral radius ρ", ylabel="Σ r² / units", ylim=(0, 1.15 * table["share"].max()))
    heading(ax, "memory, by scale of the input weights", ncols=2)


def _narma(ax: Axes, table: pd.DataFrame) -> None:
    ax.axhline(table.loc[table["reads"] == INPUTS, "error"].median(), color=GREY, linewidth=1.5)
    over_seeds(ax, table[table["reads"] == RESERVOIR], "radius", "error", **look(0, 2) | {"markevery": 1})
    ax.axvline(1, color="k", linewidth=0.5)
    plain_log(ax, "y")
    ax.set(xlabel="spectral radius ρ", ylabel="error / variance")
    heading(ax, "NARMA-10, test series")


def _suffixes(ax: Axes, table: pd.DataFrame) -> None:
    radii = sorted(table["radius"].unique())
    for place, radius in enumerate(radii):
        rows = table[table["radius"] == radius]
        over_seeds(ax, rows, "common", "distance", **look(place, len(radii), f"{radius:.3g}"))
    plain_log(ax, "y")
    ax.set(xlabel="common suffix (symbols)", ylabel="relative distance")
    heading(ax, "by spectral radius ρ", ncols=4)
