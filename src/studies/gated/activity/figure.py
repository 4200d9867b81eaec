"""What penalties do to saturation, gradients across lags and validation loss."""

from dataclasses import replace

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learnability.report.panels import plain_log, seed_band
from learnability.report.style import BAND, Style, Tables, heading, headline, legend

PENALTIES = {"activity": "penalty α on hidden units", "temporal": "penalty β on their changes"}
TASKS = {"sum": "delayed sum", "denoise": "denoise"}
SHOWN = {"saturated": "share saturated", "validation_loss": "validation loss"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables of `studies.gated.activity.measure`."""
    units, gradients = tables["activity_units"], tables["activity_gradients"]
    style = replace(style, architectures=style.present(units))
    figure, axes = style.panels(2 * (len(PENALTIES) + len(SHOWN)), 4)
    grid = axes.reshape(-1, 2)
    for row, penalty in zip(grid, PENALTIES, strict=False):
        for ax, task in zip(row, TASKS, strict=True):
            rows = gradients[gradients["penalty"].isin(["none", penalty]) & (gradients["task"] == task)]
            for name in style.present(rows):
                seed_band(ax, rows[rows["architecture"] == name], "lag", "gradient", name, style)
            ax.set(xlabel="lag ℓ (steps)", ylabel="‖∂h(T)/∂s(T - ℓ)‖")
            plain_log(ax, "y")
            heading(ax, f"{TASKS[task]}, {PENALTIES[penalty]}")
    for row, (quantity, words) in zip(grid[len(PENALTIES) :], SHOWN.items(), strict=True):
        for ax, task in zip(row, TASKS, strict=True):
            _draw_networks(ax, units[units["task"] == task], quantity, style)
            ax.set(xlabel="network", ylabel=words)
            heading(ax, TASKS[task])
    headline(figure, "Penalties on activity leave fewer units saturated")
    legend(figure, *style.handles(), BAND)
    return figure


def _draw_networks(ax: Axes, units: pd.DataFrame, quantity: str, style: Style) -> None:
    """Medians as marks, smallest to largest seed as lines through them."""
    for place, name in enumerate(style.architectures):
        values = units.loc[units["architecture"] == name, quantity]
        ax.plot([place], [values.median()], color=style.colours[name], marker=".", markersize=7)
        ax.vlines(place, values.min(), values.max(), color=style.colours[name], linewidth=0.8)
    ax.set_xticks(range(len(style.architectures)), [style.labels[name] for name in style.architectures], rotation=90)
    ax.set_xlim(-0.5, len(style.architectures) - 0.5)
    ax.margins(y=0.15)
