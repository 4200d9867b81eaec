"""First-order beside exact transport: envelopes, the error of first order, and the windows that each gives.

Where there is a GRU a last panel has its rates by Eq. 26.
"""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import by_architecture, cut, plain_log, seed_band, windows
from learnability.report.style import BAND, BEYOND, INTERVAL, Style, Tables, heading, headline, legend

GRU_LINES: dict[str, dict[str, Any]] = {
    "exact": {"label": "Eq. 26: exact", "linestyle": "--", "color": "k"},
    "first_order": {"label": "γ⁰ + γ¹", "linestyle": "-"},
    "eq26": {"label": "γ⁰ + γ¹ + ρ⁰ + η⁰", "linestyle": "-", "marker": "o"},
    "reset": {"label": "ρ⁰", "linestyle": ":"},
    "reset_retention": {"label": "η⁰", "linestyle": "-."},
}
KINDS: dict[str, dict[str, Any]] = {
    "first_order": {"linestyle": "-", "label": "first order"},
    "exact": {"linestyle": (0, (2, 1)), "marker": "", "color": "k", "label": "exact transport"},
}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `transport` and `windows`: a column for each architecture, then the error of first order."""
    transport, both = tables["transport"].dropna(axis="columns", how="all"), tables["windows"]
    gru = transport[transport["eq26"].notna()] if "eq26" in transport else transport[:0]
    names, bunches = style.architectures, style.bunches()
    count, of_gru = len(names), style.present(gru)
    figure, axes = style.panels(2 * count + len(bunches) + len(of_gru), max(count, 3))
    for name, envelope, window in zip(names, axes[:count], axes[count : 2 * count], strict=True):
        for kind, line in KINDS.items():
            shape = {"linestyle": line["linestyle"]} if kind == "first_order" else line
            rows = transport[transport["architecture"] == name]
            seed_band(envelope, rows, "lag", kind, name, style, **shape)
            of_kind = both[(both["architecture"] == name) & (both["transport"] == kind)]
            windows(window, of_kind, style, **shape)
        plain_log(envelope, "y")
        envelope.set(xlabel="lag ℓ (steps)", ylabel="Σ |diagonal|")
        window.set_ylim(-2, max(1.05 * both["horizon"].max() + 2, 8))
        window.set_ylabel("window (steps)")
        heading(envelope, style.labels[name])
        heading(window, f"{style.labels[name]}, Ĥ(N)")
    lows, highs = zip(*(envelope.get_ylim() for envelope in axes[:count]), strict=True)
    for envelope in axes[:count]:
        envelope.set_ylim(min(lows), max(highs))
        plain_log(envelope, "y")  # ticks for the common range
    rest = list(axes[2 * count :])
    for bunch in bunches:
        ax = rest.pop(0)
        for name, rows in by_architecture(transport[transport["architecture"].isin(bunch)], style):
            if len(rows):
                seed_band(ax, rows, "lag", "relative_error", name, style)
        ax.set(xlabel="lag ℓ (steps)", ylabel="relative error")
        ax.set_ylim(0, 1.15 * max(1, ax.get_ylim()[1] / 1.05))  # all that is there is an error of 1
        heading(ax, "error of first order")
    for name, ax in zip(of_gru, rest, strict=True):
        _gru_rates(ax, gru[gru["architecture"] == name], name, style)
    headline(figure, "First-order transport misses most of the exact gradient")
    exact = Line2D([], [], **KINDS["exact"])
    terms = [
        Line2D([], [], **style.line(name) | {"marker": ""} | line) for name in of_gru for line in GRU_LINES.values()
    ]
    legend(figure, *style.handles(), exact, BAND, INTERVAL, BEYOND, *terms)
    return figure


def _gru_rates(ax: Axes, rows: pd.DataFrame, name: str, style: Style) -> None:
    """What the paper's Eq. 26 adds up for a GRU."""
    for column, line in GRU_LINES.items():
        seed_band(ax, rows, "lag", column, name, style, **({"marker": ""} | line))
    plain_log(ax, "y")
    cut(ax)
    ax.set(xlabel="lag ℓ (steps)", ylabel="Σ over units")
    heading(ax, f"{style.labels[name]}: terms of Eq. 26")
