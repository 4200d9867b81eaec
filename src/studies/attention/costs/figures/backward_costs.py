"""Memory and processor time of a gradient over the length of sequences."""

from dataclasses import replace

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learnability.report.panels import label_point
from learnability.report.style import GREY, Style, Tables, conclude, heading, legend
from studies.attention.drawn.families import by_kind

OF_COSTS = {"kept_mib": "kept for the gradient, MiB", "seconds": "processor time, s"}
POWERS = {1: "T", 2: "T²"}
"""Powers of the length beside which memory is drawn."""
PANELS = dict.fromkeys(("gates, no attention", "attention to all states"), "gates; attention to all states")
"""Kinds of architectures that share a panel."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `backward_costs` of `studies.attention.before_training.tabulate`."""
    table = tables["backward_costs"]
    style = replace(style, architectures=style.present(table))
    bunches: dict[str, list[str]] = {}
    for kind, members in by_kind(style.architectures).items():
        bunches.setdefault(PANELS.get(kind, kind), []).extend(members)
    figure, axes = style.panels(len(bunches) * len(OF_COSTS), len(bunches), height_mm=52, sharex=True, sharey="row")
    for row, (words, names) in zip(axes.reshape(len(OF_COSTS), -1).T, bunches.items(), strict=True):
        for ax, (cost, label) in zip(row, OF_COSTS.items(), strict=True):
            for name in names:
                rows = table[table["architecture"] == name]
                ax.plot(rows["steps"], rows[cost], **style.line(name))
            ax.set(xlabel="steps T", ylabel=label, xscale="log", yscale="log")
            ax.set_xticks(rows["steps"], [f"{steps}" for steps in rows["steps"]])
            ax.minorticks_off()
            heading(ax, words)
        _powers(row[0], table[table["architecture"].isin(names)])
    conclude(figure, "Attention to every state costs memory that grows as T²")
    legend(figure, *style.handles())
    return figure


def _powers(ax: Axes, table: pd.DataFrame) -> None:
    """Lines that grow as powers of the length, from the largest memory at the shortest on."""
    memory = table.groupby("steps")["kept_mib"].max()
    for power, words in POWERS.items():
        line = memory.iloc[0] * (memory.index / memory.index[0]) ** power
        ax.plot(memory.index, line, color=GREY, linewidth=2.5, alpha=0.6, zorder=1)
        label_point(ax, words, (memory.index[-1], line[-1]), (0, 4), color="0.35")
