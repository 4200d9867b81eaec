"""Section 16: how long a changed input is felt in each layer, and what the layers recall together."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learnability.report.panels import label_point, plain_log
from learnability.report.style import BAND, GREY, MOST_CURVES, Style, Tables, conclude, heading, legend
from studies.gated.curves import look, over_seeds, pick_evenly
from studies.gated.deep_reservoirs.measure import ALL, COUPLING, GRADED, SAME

LEAST = 1e-4
"""Deviations below it are not drawn."""
LABELS = {SAME: "one leak rate", GRADED: "a leak rate each"}

RATIOS = {"lag_ratio": "mean recalled lag", "felt_ratio": "steps an input is felt"}
"""Columns of `deep_settings`, in words."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `deep_layers`, `deep_decay` and `deep_settings`."""
    figure, axes = style.panels(4, 2, height_mm=52)
    layers = tables["deep_layers"]
    for ax, kind in zip(axes, (SAME, GRADED), strict=False):
        _deviation(ax, tables["deep_decay"], kind)
    _lags(axes[2], layers[layers["layer"] != ALL])
    _coupling(axes[3], tables["deep_settings"])
    conclude(figure, "The last layer recalls longer lags than the first if coupled weakly, shorter ones if strongly")
    legend(figure, BAND)
    return figure


def _deviation(ax: Axes, table: pd.DataFrame, kind: str) -> None:
    table = table[(table["kind"] == kind) & (table["layer"] != ALL)]
    layers = pick_evenly(sorted(table["layer"].unique()), MOST_CURVES)
    for place, layer in enumerate(layers):
        line = look(place, len(layers), f"{layer:.0f}")
        over_seeds(ax, table[table["layer"] == layer], "step", "deviation", **line)
    plain_log(ax, "y")
    ax.set(xlabel="steps behind the changed input", ylabel="deviation / largest", ylim=(LEAST, 1.5))
    heading(ax, f"{LABELS[kind]}, by layer", ncols=4)


def _lags(ax: Axes, table: pd.DataFrame) -> None:
    for place, kind in enumerate((SAME, GRADED)):
        rows = table[table["kind"] == kind]
        over_seeds(ax, rows, "layer", "mean_lag", **look(place, 3, LABELS[kind]) | {"markevery": 1})
    ax.set(xlabel="layer", ylabel="mean recalled lag (steps)", ylim=(0, None), xticks=sorted(table["layer"].unique()))
    heading(ax, "what each layer recalls", ncols=2)


def _coupling(ax: Axes, table: pd.DataFrame) -> None:
    """Lags of the last of equal layers over lags of the first, with the numbers of both ends."""
    rows = table[table["setting"] == COUPLING]
    ax.axhline(1, color=GREY, linewidth=0.7, linestyle="--", zorder=0)
    for place, (ratio, label) in enumerate(RATIOS.items()):
        over_seeds(ax, rows, "value", ratio, **look(place, 3, label) | {"markevery": 1})
    medians = rows.groupby("value")["lag_ratio"].median()
    for at, ratio_there in medians.sort_values().iloc[[0, -1]].items():
        label_point(ax, f"{ratio_there:.2f}", (at, ratio_there), (0, -5), color=look(0, 3)["color"])
    for axis in "xy":
        plain_log(ax, axis)
    ax.set(xlabel="size of weights between layers", ylabel="last layer / first layer")
    ax.set_ylim(bottom=0.6 * medians.min())
    heading(ax, "one leak rate: last layer over first", ncols=2)
