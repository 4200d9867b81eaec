"""Overview: learnability windows of all architectures, under each reading."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import by_architecture, windows
from learnability.report.style import (
    BAND,
    BEYOND,
    DASHES,
    GREY,
    INTERVAL,
    MARKERS,
    PAPER,
    Style,
    Tables,
    heading,
    headline,
    legend,
)
from studies.learnability_window.paper import WINDOWS

COLOURS = ("#000000", "#0173b2", "#d55e00", "#029e73", "#cc78bc")
"""Of readings, in their order."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `window`, of all readings: a panel for each architecture, a line for each reading."""
    window = tables["window"][tables["window"]["chosen"]]
    readings = list(window["reading"].unique())
    lines = {
        name: {"color": COLOURS[place % len(COLOURS)], "linestyle": DASHES[place % len(DASHES)]}
        | {"marker": MARKERS[place % len(MARKERS)], "markersize": 2, "label": f"reading: {str(name).replace('_', ' ')}"}
        for place, name in enumerate(readings)
    }
    figure, axes = style.panels(len(style.architectures), sharex=True, sharey=True)
    highest = 1.05 * window["horizon"].max() + 4
    for ax, (architecture, rows) in zip(axes, by_architecture(window, style), strict=True):
        printed = WINDOWS.get(style.roles.get(architecture, ""), [])
        for low, high in printed:
            ax.axhspan(low - 0.5, high + 0.5, color=GREY, alpha=0.7, linewidth=0.8, zorder=1)
        for name in readings:
            windows(ax, rows[rows["reading"] == name], style, **lines[name])
        heading(ax, style.labels[architecture])
        ax.set(ylabel="window (steps)", ylim=(-2, max(highest, *(high + 4 for _, high in printed), 8)))
    headline(figure, "Learnability windows under each reading")
    legend(figure, *(Line2D([], [], **line) for line in lines.values()), BAND, INTERVAL, PAPER, BEYOND)
    return figure
