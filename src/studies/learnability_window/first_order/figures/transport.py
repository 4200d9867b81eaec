"""First-order beside exact transport: envelopes, the error of first order, and the windows that each gives."""

from dataclasses import replace
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
KINDS = {"first_order": "first order", "exact": "exact transport"}
EXACT: dict[str, Any] = {"color": "k", "linestyle": (0, (2, 1)), "label": "(a) exact, dashes of each colour"}
PANELS = 4
"""Of architectures that are drawn together."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `transport` and `windows`: of a few architectures at a time, then Eq. 26 of each GRU."""
    transport, both = tables["transport"].dropna(axis="columns", how="all"), tables["windows"]
    gru = transport[transport["eq26"].notna()] if "eq26" in transport else transport[:0]
    bunches, of_gru = style.bunches(), style.present(gru)
    count = PANELS * len(bunches)
    figure, axes = style.panels(count + len(of_gru), 2 if count + len(of_gru) == PANELS else 3, height_mm=56)
    for names, (envelope, error, *of_kinds) in zip(bunches, axes[:count].reshape(-1, PANELS), strict=True):
        shown = replace(style, architectures=names)
        gap = 2 * max(len(names) - 1, 1)
        for place, (name, rows) in enumerate(by_architecture(transport, shown)):
            # Exact lines may coincide: the dashes of one fill the gaps of the others.
            seed_band(envelope, rows, "lag", "exact", name, style, linestyle=(2 * place, (2, gap)), marker="")
            seed_band(envelope, rows, "lag", "first_order", name, style)
            seed_band(error, rows, "lag", "relative_error", name, style)
        plain_log(envelope, "y")
        envelope.set(xlabel="lag ℓ (steps)", ylabel="Σ |diagonal|")
        heading(envelope, "gradient that crosses a lag")
        error.set(xlabel="lag ℓ (steps)", ylabel="relative error")
        error.set_ylim(0, 1.15 * max(1, error.get_ylim()[1] / 1.05))  # all that is there is an error of 1
        heading(error, "error of first order")
        for ax, (kind, words) in zip(of_kinds, KINDS.items(), strict=True):
            windows(ax, both[(both["transport"] == kind) & both["architecture"].isin(names)], shown)
            ax.set_ylim(-2, max(1.05 * both["horizon"].max() + 2, 8))
            heading(ax, f"window by {words}")
    for name, ax in zip(of_gru, axes[count:], strict=True):
        _gru_rates(ax, gru[gru["architecture"] == name], name, style)
    headline(figure, "First-order transport misses most of the exact gradient")
    terms = [
        Line2D([], [], **style.line(name) | {"marker": ""} | line) for name in of_gru for line in GRU_LINES.values()
    ]
    legend(figure, *style.handles(), Line2D([], [], **EXACT), BAND, INTERVAL, BEYOND, *terms)
    return figure


def _gru_rates(ax: Axes, rows: pd.DataFrame, name: str, style: Style) -> None:
    """What the paper's Eq. 26 adds up for a GRU."""
    for column, line in GRU_LINES.items():
        seed_band(ax, rows, "lag", column, name, style, **({"marker": ""} | line))
    plain_log(ax, "y")
    cut(ax)
    ax.set(xlabel="lag ℓ (steps)", ylabel="Σ over units")
    heading(ax, f"{style.labels[name]}: terms of Eq. 26")
