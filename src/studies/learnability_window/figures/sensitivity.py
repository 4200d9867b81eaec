"""Sensitivity: Ĥ_N at the largest N, as the reading has it and with each of its options changed alone."""

import numpy as np
from matplotlib.figure import Figure

from learnability.report.panels import by_architecture
from learnability.report.style import Style, Tables


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `changes`, medians over seeds; lines are bootstrap intervals."""
    changes = tables["changes"].fillna({"value": ""})
    last = changes[changes["sample_size"] == changes["sample_size"].max()]
    names = list(dict.fromkeys(zip(last["option"], last["value"], strict=True)))
    figure, (ax,) = style.panels(1, height_mm=25 + 4.5 * len(names))
    shifts = np.linspace(-0.3, 0.3, len(style.architectures))
    for shift, (architecture, rows) in zip(shifts, by_architecture(last, style), strict=True):
        colour = style.colours[architecture]
        at = rows.groupby(["option", "value"])[["horizon", "horizon_low", "horizon_high"]].median().reindex(names)
        y = np.arange(len(names)) + shift
        ax.hlines(y, at["horizon_low"], at["horizon_high"], color=colour, linewidth=0.7)
        ax.plot(at["horizon"], y, "o", color=colour, markersize=2.5, label=style.labels[architecture])
    ax.axhspan(-0.5, 0.5, color="0.92", zorder=0, linewidth=0)
    ax.set_yticks(range(len(names)), [f"{option} {value}".replace("_", " ").strip() for option, value in names])
    ax.set(ylim=(len(names) - 0.5, -0.5), xlabel=f"Ĥ(N), N = {last['sample_size'].max()} (steps)", ylabel="option")
    figure.legend(loc="outside upper center", ncols=2)
    return figure
