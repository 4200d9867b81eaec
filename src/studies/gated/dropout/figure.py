"""Validation loss of each kind of dropout, how noisy it makes states and gradients, and what is learned."""

from dataclasses import replace

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learnability.report.panels import label_point, plain_log, seed_band
from learnability.report.style import BAND, INTERVAL, Style, Tables, conclude, heading, legend

QUANTITIES = {"state": "last state", "change": "change of the\nstate in a step", "gradient": "gradient"}
APART = 0.2
"""Distance between marks of one quantity."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables of `studies.gated.dropout.measure`."""
    curves, noise, shares, losses = (tables[f"dropout_{name}"] for name in ("curves", "noise", "shares", "losses"))
    names = style.present(losses)
    style = replace(style, architectures=names)
    figure, (first, second, third, last) = style.panels(4, 2, height_mm=52)
    for name in names:
        rows = curves[(curves["architecture"] == name) & (curves["epoch"] > 0)]
        seed_band(first, rows, "epoch", "validation_loss", name, style)
        seed_band(last, shares[shares["architecture"] == name], "lag", "share", name, style)
    least = losses.groupby("architecture")["least_validation_loss"].median()
    for kind in {least.idxmax(), least.idxmin()}:
        _label_least(first, curves[curves["architecture"] == kind], float(least[str(kind)]), style.colours[str(kind)])
    first.set(xlabel="epoch", ylabel="validation loss")
    plain_log(first, "x")
    plain_log(first, "y")
    first.set_xlim(right=2 * curves["epoch"].max())
    heading(first, "validation loss without masks")
    for ax, (weights, rows) in zip((second, third), noise.groupby("weights", sort=False), strict=True):
        _draw_noise(ax, rows, style)
        heading(ax, f"weights: {weights}{'' if weights == 'own' else ' dropout'}")
    last.set(xlabel="lag ℓ (steps)", ylabel="learned share", xticks=sorted(shares["lag"].unique()))
    heading(last, "at the end")
    conclude(figure, "Dropout makes states and gradients noisy, and lowers the least validation loss")
    legend(figure, *style.handles(), BAND, INTERVAL)
    return figure


def _label_least(ax: Axes, curves: pd.DataFrame, least: float, colour: str) -> None:
    """Write the least loss, a median over seeds, below a curve, where training would stop early."""
    at = curves.groupby("epoch")["validation_loss"].median().sort_values().index[0]
    label_point(ax, f"{least:.2f}", (at, least), (0, -4), color=colour)


def _draw_noise(ax: Axes, noise: pd.DataFrame, style: Style) -> None:
    """Medians as marks, smallest to largest seed as lines through them."""
    names = style.present(noise)
    for place, name in enumerate(names):
        rows = noise.loc[noise["architecture"] == name, list(QUANTITIES)]
        x = np.arange(len(QUANTITIES)) + APART * (place - (len(names) - 1) / 2)
        line = style.line(name) | {"linestyle": "", "markersize": 4}
        ax.plot(x, rows.median(), **line)
        ax.vlines(x, rows.min(), rows.max(), color=style.colours[name], linewidth=0.8)
    ax.set_xticks(range(len(QUANTITIES)), QUANTITIES.values())
    ax.set(xlabel="of what", ylabel="noise over masks", xlim=(-0.5, len(QUANTITIES) - 0.5))
    plain_log(ax, "y")
