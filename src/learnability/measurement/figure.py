"""Figure of a measurement, and what figures of several measurements share."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from learnability.measurement.labels import NOISES, TRANSPORTS

if TYPE_CHECKING:  # otherwise imported where it draws
    import matplotlib.axes
    import matplotlib.figure

COLOURS = {"total": "#0173b2", "matched": "#d55e00", "exact": "#000000", "first_order": "#029e73"}
WIDTH_MM, HEIGHT_MM, FONT_SIZE, DPI = 170, 78, 7, 200


def draw_at_resolution(draw: Callable[[], "matplotlib.figure.Figure"]) -> "matplotlib.figure.Figure":
    """The figure that a function draws, at its own resolution; a user's settings of matplotlib stay as they are."""
    from matplotlib import rc_context

    with rc_context({"figure.dpi": DPI}):
        figure = draw()
        figure.draw_without_rendering()  # ticks take the settings of their first drawing
    return figure


def draw_measured(
    by_lag: pd.DataFrame, window: pd.DataFrame, exact: pd.DataFrame, summary: str
) -> "matplotlib.figure.Figure":
    """Figure of `Measured.plot`.

    Args:
        by_lag: `Measured.to_dataframe()`.
        window, exact, summary: of `Measured`.
    """
    from matplotlib.lines import Line2D

    from learnability.report.panels import envelopes, plain_log, windows
    from learnability.report.style import BEYOND, GREY, INTERVAL, Style, heading, headline, legend

    kinds = {**{name: NOISES[name] for name in window["noise"].unique()}, **TRANSPORTS}
    style = Style(list(kinds), COLOURS, kinds, WIDTH_MM, FONT_SIZE)
    figure, (complexity_ax, window_ax, transport_ax) = style.panels(3, height_mm=HEIGHT_MM)
    sequences = window["sequences"].iloc[0]
    complexities, window_rows = (
        table[table["transport"] == "exact"].assign(architecture=table["noise"], seed=0) for table in (by_lag, window)
    )
    gradients = exact.melt("lag", list(TRANSPORTS), "architecture", "passed").assign(seed=0)
    envelopes(complexity_ax, complexities, "sample_complexity", style)
    windows(window_ax, window_rows, style)
    envelopes(transport_ax, gradients, "passed", style)
    at_n = Line2D([], [], color=GREY, linewidth=2, zorder=0, label=f"N = {sequences}, measured")
    line_style = {name: at_n.properties()[name] for name in ("color", "linewidth", "zorder")}
    complexity_ax.axhline(sequences, **line_style)
    window_ax.axvline(sequences, **line_style)
    medians = complexities.groupby(["architecture", "lag"])["sample_complexity"].median()
    for architecture, lag in medians[np.isinf(medians)].index:
        mark_infinite(complexity_ax, lag, list(kinds).index(architecture), style.line(architecture))
    for ax in (complexity_ax, transport_ax):
        plain_log(ax, "y")
        ax.locator_params(axis="x", integer=True)
    window_ax.locator_params(axis="y", integer=True)
    complexity_ax.set(ylabel="sample complexity N̂(ℓ) (sequences)", xlim=transport_ax.get_xlim())
    transport_ax.set(ylabel="Σ |diagonal| of the transport")
    heading(complexity_ax, "N̂(ℓ); ∞: not computable" if np.isinf(medians).any() else "N̂(ℓ)")
    heading(window_ax, "Ĥ(N)")
    heading(transport_ax, "gradient that crosses ℓ")
    headline(figure, summary)
    legend(figure, *style.handles(), INTERVAL, at_n, BEYOND)
    return figure


def mark_infinite(ax: "matplotlib.axes.Axes", x: float, place: int, line: dict[str, Any]) -> None:
    """Mark a value of ∞ at the upper edge of an axis, the marks of several curves below each other."""
    shape = line | {"marker": "$∞$", "markersize": 6, "linestyle": ""}
    ax.plot(x, 0.97 - 0.05 * place, transform=ax.get_xaxis_transform(), **shape)
