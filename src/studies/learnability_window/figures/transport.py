"""First-order beside exact transport: envelopes, the error of first order, and the windows that each gives.

Where there is a GRU a fourth panel has its rates by Eq. 26.
"""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import by_architecture, cut, plain_log, seed_band, windows
from learnability.report.style import Style, Tables

LEAST_ERROR = 1e-3
"""Relative errors below it are out of sight."""
GRU_LINES: dict[str, dict[str, Any]] = {
    "exact": {"label": "exact", "linestyle": "--"},
    "first_order": {"label": "γ⁰ + γ¹", "linestyle": "-"},
    "eq26": {"label": "γ⁰ + γ¹ + ρ⁰ + η⁰", "linestyle": "-", "marker": "o", "markersize": 2.5},
    "reset": {"label": "ρ⁰", "linestyle": ":"},
    "reset_retention": {"label": "η⁰", "linestyle": "-."},
}
LINES: dict[str, Any] = {"first order": "-", "exact": "--"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `transport` and `windows`."""
    transport, both = tables["transport"], tables["windows"]
    transport = transport[transport["architecture"].isin(style.architectures)].dropna(axis="columns", how="all")
    figure, (envelope, error, window, *rest) = style.panels(3 + ("eq26" in transport), height_mm=52)
    for column, line in zip(("first_order", "exact"), LINES.values(), strict=True):
        _lines(envelope, transport, "lag", column, line, style)
        windows(window, both[both["transport"] == column], style, linestyle=line)
    _lines(error, transport, "lag", "relative_error", "-", style)
    for ax in (envelope, error):
        plain_log(ax, "y")
    cut(envelope)
    envelope.set(xlabel="lag ℓ (steps)", ylabel="Σ |diagonal| of transport")
    error.set(xlabel="lag ℓ (steps)", ylabel="relative error of first order", ylim=(LEAST_ERROR, None))
    colours = [Line2D([], [], color=style.colours[name], label=style.labels[name]) for name in style.architectures]
    kinds = [Line2D([], [], color="k", linestyle=line, label=label) for label, line in LINES.items()]
    envelope.legend(handles=[*colours, *kinds], loc="lower center", bbox_to_anchor=(0.5, 1.1), ncols=2)
    for ax in rest:
        _gru_rates(ax, transport, style)
    return figure


def _gru_rates(ax: Axes, transport: pd.DataFrame, style: Style) -> None:
    """What the paper's Eq. 26 adds up for a GRU."""
    rows = transport[transport["eq26"].notna()]
    for column, line in GRU_LINES.items():
        for architecture, each in by_architecture(rows, style):
            if len(each):
                seed_band(ax, each, "lag", column, architecture, style, **line)
    plain_log(ax, "y")
    cut(ax)
    ax.set(xlabel="lag ℓ (steps)", ylabel="GRU: Σ over units")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.1), ncols=2)


def _lines(ax: Axes, table: pd.DataFrame, x: str, y: str, line: str, style: Style) -> None:
    for architecture, rows in by_architecture(table, style):
        seed_band(ax, rows, x, y, architecture, style, linestyle=line)
