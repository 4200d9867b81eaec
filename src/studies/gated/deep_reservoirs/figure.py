"""Section 16: how long a changed input is felt in each layer, and what the layers recall together."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learnability.report.panels import plain_log
from learnability.report.style import BAND, MOST_CURVES, Style, Tables, heading, headline, legend
from studies.gated.curves import look, over_seeds, pick_evenly
from studies.gated.deep_reservoirs.measure import ALL, GRADED, SAME, SHALLOW

LEAST = 1e-4
"""Deviations below it are not drawn."""
LABELS = {SAME: "one leak rate", GRADED: "a leak rate each", SHALLOW: "shallow"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `deep_layers`, `deep_decay` and `deep_curves`."""
    figure, axes = style.panels(4, 2, height_mm=52)
    layers = tables["deep_layers"]
    for ax, kind in zip(axes, (SAME, GRADED), strict=False):
        _deviation(ax, tables["deep_decay"], kind)
    _lags(axes[2], layers[layers["layer"] != ALL])
    _curves(axes[3], tables["deep_curves"])
    headline(figure, "Deeper layers feel an input longer, most with a leak rate each")
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


def _curves(ax: Axes, table: pd.DataFrame) -> None:
    table = table[table["layer"] == ALL]
    for place, kind in enumerate((SAME, GRADED, SHALLOW)):
        over_seeds(ax, table[table["kind"] == kind], "lag", "recalled", **look(place, 3, LABELS[kind]))
    longest = table.loc[table["recalled"] > 0.01, "lag"].max()
    ax.set(xlabel="lag ℓ (steps)", ylabel="recalled share r²", ylim=(-0.03, 1.03), xlim=(0, longest))
    heading(ax, "all layers together", ncols=2)
