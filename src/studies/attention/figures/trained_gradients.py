"""Gradients that arrive at earlier steps of trained networks, and what they cost: Fig. 2 of Kerg et al. 2020."""

from dataclasses import replace

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from learnability.report.panels import plain_log
from learnability.report.style import Style, Tables, heading, headline, legend, note
from studies.attention.figures.families import FAMILIES, members
from studies.attention.trained_tables import QUARTERS

MIDDLES = (np.arange(len(QUARTERS)) + 0.5) / len(QUARTERS)


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `trained_gradients`, of `studies.attention.trained_tables.tabulate`, and `backward_costs`.

    A panel for each delay of networks without attention, then of those with it; a mark for each quarter of the way.
    The last panel has the mean over quarters beside the memory that a gradient keeps, a mark for each delay.
    """
    table = tables["trained_gradients"]
    panels = [
        (words, delay, rows, names)
        for attends, words in FAMILIES.items()
        for delay, rows in table.groupby("delay")
        if (names := members(rows, attends, style))
    ]
    figure, (*axes, last) = style.panels(len(panels) + 1)
    for ax, (words, delay, rows, names) in zip(axes, panels, strict=True):
        for name in names:
            row = rows[rows["architecture"] == name].iloc[0]
            ax.plot(MIDDLES * row["steps"], row[QUARTERS].astype(float), **style.line(name))
        heading(ax, f"T = {delay}, {words}")
        ax.set(xlabel="steps before the last", ylabel="log₁₀ ‖∂L/∂hₜ‖")
    limits = np.array([ax.get_ylim() for ax in axes])
    for ax in axes:
        ax.set_ylim(limits[:, 0].min(), limits[:, 1].max())
    costs = tables["backward_costs"].set_index(["architecture", "steps"])["kept_mib"]
    places = pd.MultiIndex.from_frame(table[["architecture", "steps"]])
    priced = table.assign(kept=costs.reindex(places).array, mean=table[QUARTERS].mean(axis=1)).dropna(subset="kept")
    for name in style.present(priced):
        own = priced[priced["architecture"] == name].sort_values("delay")
        last.plot(own["kept"], own["mean"], **style.line(name) | {"markersize": 4})
    last.set(xlabel="memory kept, MiB", ylabel="mean log₁₀ ‖∂L/∂hₜ‖")
    heading(last, "mean and memory")
    if len(priced):
        plain_log(last, "x")
    else:
        note(last, "At no delay of trained networks was memory measured.")
    headline(figure, "After training on denoise, most networks keep gradients over the whole delay")
    legend(figure, *replace(style, architectures=style.present(table)).handles())
    return figure
