"""Sensitivity: Ĥ_N at the largest N, as the reading has it and with each option that moves it changed alone."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from learnability.report.panels import by_architecture
from learnability.report.style import INTERVAL, Style, Tables, conclude, legend


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `changes`, medians over seeds; lines are bootstrap intervals."""
    changes = tables["changes"].fillna({"value": ""})
    last = changes[changes["sample_size"] == changes["sample_size"].max()]
    choices = list(dict.fromkeys(zip(last["option"], last["value"], strict=True)))
    names = _moving(last, choices)
    figure, (ax,) = style.larger().panels(1, height_mm=16 + 5.5 * len(names))
    shifts = np.linspace(-0.28, 0.28, len(style.architectures))
    for shift, (architecture, rows) in zip(shifts, by_architecture(last, style), strict=True):
        shape = style.line(architecture) | {"linestyle": "", "markersize": 5}
        at = rows.groupby(["option", "value"])[["horizon", "horizon_low", "horizon_high"]].median().reindex(names)
        y = np.arange(len(names)) + shift
        ax.hlines(y, at["horizon_low"], at["horizon_high"], color=shape["color"], linewidth=1.2)
        ax.plot(at["horizon"], y, **shape)
    for row in range(1, len(names), 2):
        ax.axhspan(row - 0.5, row + 0.5, color="0.96", zorder=0, linewidth=0)
    ax.axhline(0.5, color="k", linewidth=0.5)
    ax.set_yticks(range(len(names)), [_in_words(option, value) for option, value in names])
    ax.set(
        ylim=(len(names) - 0.3, -0.75),
        xlabel="window Ĥ(N) (steps)",
        ylabel=f"{len(names) - 1} of {len(choices) - 1} options",
    )
    conclude(figure, "A single option of the reading can close windows, or lengthen them")
    legend(figure, *style.handles(), INTERVAL)
    return figure


def _moving(last: pd.DataFrame, names: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The reading, the first, and the options whose window is another one for some architecture."""
    windows = last.pivot_table("horizon", ["option", "value"], "architecture", "median").reindex(names)
    moves = (windows != windows.iloc[0]) & windows.notna()
    return [name for place, name in enumerate(names) if place == 0 or moves.iloc[place].any()]


def _in_words(option: str, value: str) -> str:
    words = {"True": "yes", "False": "no"}.get(str(value), str(value))
    return f"{option}: {words}".replace("_", " ").removesuffix(": ")
