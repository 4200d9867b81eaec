"""Lags that each layer of the deepest stack sees, and gradients that its own recurrence carries."""

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learnability.report.panels import plain_log
from learnability.report.style import BAND, DASHES, MARKERS, Style, Tables, heading, headline, legend

MOMENTS = {"start": "at the start", "trained": "after training"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables of `studies.gated.depth.measure`."""
    profiles, layers = tables["depth_profiles"], tables["depth_layers"]
    depth = int(layers["layers"].max())
    deepest = profiles[profiles["layers"] == depth]
    figure, axes = style.panels(4, 2, height_mm=52, sharex=True)
    panels = [(quantity, moment) for quantity in ("sensitivity", "transport") for moment in MOMENTS]
    words = {"sensitivity": "input", "transport": "own recurrence"}
    labels = {"sensitivity": "‖∂h(T)/∂x(T - ℓ)‖", "transport": "‖∂h(T)/∂s(T - ℓ)‖"}
    for ax, (quantity, moment) in zip(axes, panels, strict=True):
        _draw_layers(ax, deepest[deepest["moment"] == moment], quantity)
        ax.set(xlabel="lag ℓ (steps)", ylabel=labels[quantity])
        heading(ax, f"{words[quantity]}, {MOMENTS[moment]}", ncols=depth)
    headline(figure, "How far back each layer of a stack sees")
    legend(figure, BAND)
    return figure


def _draw_layers(ax: Axes, rows: pd.DataFrame, quantity: str) -> None:
    """Median over seeds as a line for each layer, smallest to largest as a band."""
    names = sorted(rows["layer"].unique().tolist())
    colours = mpl.colormaps["viridis"](np.linspace(0, 0.85, len(names)))
    for n, (layer, colour) in enumerate(zip(names, colours, strict=True)):
        spread = rows[rows["layer"] == layer].groupby("lag")[quantity].agg(["median", "min", "max"])
        line = {"color": tuple(colour), "linestyle": DASHES[n], "marker": MARKERS[n], "markersize": 2.5}
        ax.plot(spread["median"], label=f"layer {layer}", **line)
        ax.fill_between(spread.index, spread["min"], spread["max"], color=tuple(colour), alpha=0.2, linewidth=0)
    plain_log(ax, "y")
