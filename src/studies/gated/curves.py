"""Curves of figures of this study that are not of architectures: one for each value of a setting."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes

from learnability.report.style import DASHES, MARKERS

MARKER_POINTS = 8
"""Points of a line that carry a marker, about."""


def look(place: int, count: int, label: str = "") -> dict[str, Any]:
    """Colour, dash, marker and label of one of `count` curves."""
    return {
        "color": colormaps["viridis"](0.85 * place / max(count - 1, 1)),
        "linestyle": DASHES[place % len(DASHES)],
        "marker": MARKERS[place % len(MARKERS)],
        "markersize": 2.5,
        "label": label,
    }


def over_seeds(ax: Axes, table: pd.DataFrame, x: str, y: str, **line: Any) -> None:
    """Median over seeds as a line, smallest to largest as a band; means of rows of one seed."""
    spread = table.groupby(["seed", x])[y].mean().groupby(x).agg(["median", "min", "max"])
    interval = max(len(spread) // MARKER_POINTS, 1)
    ax.plot(spread.index, spread["median"], **{"markevery": interval} | line)
    ax.fill_between(spread.index, spread["min"], spread["max"], color=line["color"], alpha=0.2, linewidth=0)


def pick_evenly(values: Sequence[Any], count: int) -> list[Any]:
    """Return at most `count` of the values, evenly and in order, with the first and the last."""
    if len(values) <= count:
        return list(values)
    return [values[round(place * (len(values) - 1) / (count - 1))] for place in range(count)]
