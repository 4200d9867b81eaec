"""Overview: learnability windows of all architectures, under each reading."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import by_architecture, name_rows
from learnability.report.style import GREY, PUBLISHED, Style, Tables, conclude, heading, legend
from studies.learnability_window.paper import WINDOWS

SHIFT = 0.17
"""Shift of the marks of a row from its middle."""
MARK: dict[str, Any] = {"marker": ".", "markersize": 7}
SEEDS = Line2D([], [], color="k", linewidth=0.8, label="smallest to largest seed")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `window`, of all readings: a panel for each reading, a row for each architecture."""
    window = tables["window"][tables["window"]["chosen"]]
    readings = window["reading"].unique().tolist()
    largest_measured = window.loc[window["sample_size"] <= window["sequences"], "sample_size"].max()
    fills: dict[int, Any] = {largest_measured: "full", window["sample_size"].max(): "none"}
    figure, axes = style.panels(len(readings), min(len(readings), 3), height_mm=90, sharex=True, sharey=True)
    for ax, reading in zip(axes, readings, strict=True):
        of_reading = window[window["reading"] == reading]
        for shift, (size, fill) in zip((-SHIFT, SHIFT), fills.items(), strict=False):
            _draw_windows(ax, of_reading[of_reading["sample_size"] == size], style, shift, fill)
        for place, name in enumerate(style.architectures):
            for low, high in WINDOWS.get(style.roles.get(name, ""), []):
                ax.barh(place, high - low + 1, left=low - 0.5, height=0.9, color=GREY, zorder=0)
        name_rows(ax, style.architectures, style)
        ax.set(xlabel="window Ĥ(N) (steps)", ylabel="architecture")
        heading(ax, f"reading: {str(reading).replace('_', ' ')}")
    conclude(figure, "How far windows reach depends on the reading of the paper")
    sizes_beyond = window.loc[window["extrapolated"], "sample_size"].unique()
    marks = [
        Line2D([], [], color="k", linestyle="", fillstyle=fill, **MARK, label=f"N = {size:,}{words}")
        for size, fill in fills.items()
        for words in [", beyond the measured" if size in sizes_beyond else ""]
    ]
    legend(figure, *marks, SEEDS, PUBLISHED)
    return figure


def _draw_windows(ax: Axes, window: pd.DataFrame, style: Style, shift: float, fill: Any) -> None:
    """Medians over seeds as marks, each seed's the median over its directions w."""
    for place, (name, rows) in enumerate(by_architecture(window, style)):
        of_seeds = rows.groupby("seed")["horizon"].median()
        ax.hlines(place + shift, of_seeds.min(), of_seeds.max(), color=style.colours[name], linewidth=0.8)
        ax.plot(of_seeds.median(), place + shift, color=style.colours[name], fillstyle=fill, **MARK)
