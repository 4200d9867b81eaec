"""Learned shares in windows of K steps, and the costs of these windows."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import plain_log
from learnability.report.style import BAND, DASHES, MARKERS, Style, Tables, conclude, heading, legend
from studies.gated.curves import look, over_seeds

OF_COSTS = {"kept": "memory, update", "update": "time, update", "pass": "time, pass over the data"}
Lines = Mapping[int, dict[str, Any]]


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables of `studies.gated.truncation.measure`."""
    shares, curves, costs = (tables[f"truncation_{name}"] for name in ("shares", "curves", "costs"))
    plain, *variants = shares["architecture"].unique()
    windows = costs["window"].tolist()
    lines: Lines = {window: look(n, len(windows)) | {"markevery": 1} for n, window in enumerate(windows)}
    figure, axes = style.panels(3 + len(variants), 2, height_mm=52)
    first, second, *middle, last = axes
    for ax, name in zip((first, *middle), (plain, *variants), strict=True):
        _draw_shares(ax, shares[shares["architecture"] == name], lines)
        heading(ax, f"{style.labels[name]}, by window: mean share", ncols=2)
    plain_curves = curves[(curves["architecture"] == plain) & (curves["epoch"] > 0)]
    for window in windows:
        rows = plain_curves[plain_curves["window"] == window]
        over_seeds(second, rows, "epoch", "validation_loss", **lines[window] | {"marker": ""})
    second.set(xlabel="passes over the data", ylabel="validation loss")
    plain_log(second, "x")
    heading(second, f"{style.labels[plain]}, learning curves")
    _draw_costs(last, costs)
    conclude(figure, "Windows of few steps learn less of the lags beyond them")
    legend(figure, BAND, Line2D([], [], color="k", linewidth=0.5, label="gradients end here"))
    return figure


def _draw_shares(ax: Axes, shares: pd.DataFrame, lines: Lines) -> None:
    *_, whole = lines
    mean_shares = shares[shares["lag"] >= min(lines)].groupby("window")["share"].mean()
    for window in sorted(shares["window"].unique().tolist()):
        rows, line = shares[shares["window"] == window], lines[window]
        over_seeds(ax, rows, "lag", "share", **line | {"label": f"K = {window}: {mean_shares[window]:.2f}"})
        if window < whole:
            ax.axvline(window, color=line["color"], lw=0.5)
    ax.set(xlabel="lag ℓ (steps)", ylabel="learned share", xticks=sorted(shares["lag"].unique()))


def _draw_costs(ax: Axes, costs: pd.DataFrame) -> None:
    for n, (cost, label) in enumerate(OF_COSTS.items()):
        ax.plot(costs["window"], costs[cost], color="k", linestyle=DASHES[n], marker=MARKERS[n], ms=2.5, label=label)
    plain_log(ax, "y")
    ax.set_xscale("log", base=2)
    ax.set_xticks(costs["window"], [f"{window}" for window in costs["window"]])
    ax.set(xlabel="window K (steps)", ylabel="of the whole's")
    heading(ax, "cost", ncols=2)
