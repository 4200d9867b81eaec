"""First-order compared with exact transport: envelopes, and the windows that each gives."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import by_architecture, cut, plain_log, seed_band, windows
from learnability.report.style import BAND, BEYOND, INTERVAL, MOST_COLUMNS, Style, Tables, conclude, heading, legend

GRU_LINES: dict[str, dict[str, Any]] = {
    "exact": {"label": "Eq. 26: exact", "linestyle": "--", "color": "k"},
    "first_order": {"label": "γ⁰ + γ¹", "linestyle": "-"},
    "eq26": {"label": "γ⁰ + γ¹ + ρ⁰ + η⁰", "linestyle": "-", "marker": "o"},
    "reset": {"label": "ρ⁰", "linestyle": ":"},
    "reset_retention": {"label": "η⁰", "linestyle": "-."},
}
WIDE = 20
"""Orders of magnitude from one tick to the next of an axis that has more of them."""
KINDS = {"first_order": "first order", "exact": "exact transport"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `transport` and `windows`: of a few architectures at a time, then Eq. 26 of each GRU."""
    transport, all_windows = tables["transport"].dropna(axis="columns", how="all"), tables["windows"]
    gru = transport[transport["eq26"].notna()] if "eq26" in transport else transport[:0]
    bunches, of_gru = style.bunches(), style.present(gru)
    of_networks = (
        all_windows[all_windows["chosen"]]
        .groupby(["transport", "architecture", "seed", "sample_size"])["horizon"]
        .median()
    )
    has_window = (of_networks > 0).groupby("transport").any()  # without one a panel is a flat line of zeros
    kinds = [kind for kind in KINDS if has_window.get(kind, False)]
    count = (1 + len(kinds)) * len(bunches)
    figure, axes = style.panels(count + len(of_gru), 0 if count + len(of_gru) < MOST_COLUMNS else 3, height_mm=70)
    for names, (envelope, *of_kinds) in zip(bunches, axes[:count].reshape(len(bunches), -1), strict=True):
        bunch_style = replace(style, architectures=names)
        gap = 2 * max(len(names) - 1, 1)
        for place, (name, rows) in enumerate(by_architecture(transport, bunch_style)):
            # Exact lines may coincide: the dashes of one fill the gaps of the others.
            seed_band(envelope, rows, "lag", "exact", name, style, linestyle=(2 * place, (2, gap)), marker="")
            seed_band(envelope, rows, "lag", "first_order", name, style)
        _powers(envelope)
        _name_lines(envelope, transport[transport["architecture"].isin(names)])
        envelope.set(xlabel="lag ℓ (steps)", ylabel="Σ |diagonal|")
        heading(envelope, "gradient that crosses a lag")
        for ax, kind in zip(of_kinds, kinds, strict=True):
            windows(
                ax,
                all_windows[(all_windows["transport"] == kind) & all_windows["architecture"].isin(names)],
                bunch_style,
            )
            ax.set_ylim(-2, max(1.05 * all_windows.loc[all_windows["chosen"], "horizon"].max() + 2, 8))
            heading(ax, f"window by {KINDS[kind]}")
    for name, ax in zip(of_gru, axes[count:], strict=True):
        _gru_rates(ax, gru[gru["architecture"] == name], name, style)
    conclude(figure, "First-order transport misses most of the exact gradient")
    terms = [
        Line2D([], [], **style.line(name) | {"marker": ""} | line) for name in of_gru for line in GRU_LINES.values()
    ]
    legend(figure, *style.handles(), BAND, INTERVAL, BEYOND, *terms)
    return figure


def _powers(ax: Axes) -> None:
    """A logarithmic axis with a few ticks at whole tens of orders of magnitude, if it has so many."""
    plain_log(ax, "y")
    low, high = np.log10(ax.get_ylim())
    if high - low > WIDE:
        orders = np.arange(-WIDE * (-low // WIDE), high, WIDE)
        ax.set_yticks(10.0**orders, [f"$10^{{{order:.0f}}}$" for order in orders])


def _name_lines(ax: Axes, rows: pd.DataFrame) -> None:
    """Write which lines are exact, above their middle, and which are of first order, below all."""
    ax.margins(y=0.12)
    middle = rows["lag"].iloc[(rows["lag"] - rows["lag"].median()).abs().argmin()]
    at = rows[rows["lag"] == middle]
    place: dict[str, Any] = {"ha": "center", "textcoords": "offset points"}
    ax.annotate("exact", (middle, at["exact"].max()), xytext=(0, 4), va="bottom", **place)
    ax.annotate("first order", (middle, at["first_order"].min()), xytext=(-18, -6), va="top", **place)


def _gru_rates(ax: Axes, rows: pd.DataFrame, name: str, style: Style) -> None:
    """Terms that the paper's Eq. 26 adds up for a GRU."""
    for column, line in GRU_LINES.items():
        seed_band(ax, rows, "lag", column, name, style, **({"marker": ""} | line))
    plain_log(ax, "y")
    cut(ax)
    ax.set(xlabel="lag ℓ (steps)", ylabel="Σ over units")
    heading(ax, f"{style.labels[name]}: terms of Eq. 26")
