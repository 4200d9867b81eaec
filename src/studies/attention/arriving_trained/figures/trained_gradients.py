"""Gradients that arrive at earlier steps of trained networks, and what they cost: Fig. 2 of Kerg et al. 2020."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import name_rows, plain_log
from learnability.report.style import Style, Tables, conclude, heading, legend, note
from studies.attention.trained_tables import BY, MOST, QUARTERS, of_copying

ACROSS = Line2D([], [], color="k", marker="|", label="nearest quarter of the way back")
FARTHEST = Line2D([], [], color="k", marker="o", linestyle="", label="farthest quarter, learned")
NOT_LEARNED = Line2D([], [], color="k", marker="o", linestyle="", markerfacecolor="w", label="not learned")
LARGEST = Line2D([], [], color="k", marker="o", linestyle="", markersize=7, label="last panel: longer delay")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `trained_gradients`, of `studies.attention.trained_tables.tabulate`, and `backward_costs`.

    A panel for each delay, with the networks of the largest gradient in the farthest quarter first; where none arrives
    there, a triangle on the edge. The last panel has the mean over quarters beside the memory that a gradient keeps, a
    mark for each delay.
    """
    table, recalls = tables["trained_gradients"], tables["denoised"].dropna(subset="experiment")
    # the gradient of a network that was trained longer is not in the table
    has_learned = of_copying(recalls, "", BY).set_index(["delay", "architecture", "recipe"])["measured"] >= MOST
    delays = [(delay, rows.sort_values(QUARTERS[-1], ascending=False)) for delay, rows in table.groupby("delay")]
    finite = table[QUARTERS].to_numpy()[np.isfinite(table[QUARTERS].to_numpy())]
    low, high = (finite.min() - 0.5, finite.max() + 0.5) if finite.size else (-1, 1)
    figure, (*axes, last) = style.panels(len(delays) + 1, 3, height_mm=58)
    for ax, (delay, rows) in zip(axes, delays, strict=True):
        for height, row in enumerate(rows.to_dict("records")):
            colour, farthest = style.colours[row["architecture"]], row[QUARTERS[-1]]
            ends = np.clip([row[QUARTERS[0]], farthest], low, high)
            ax.plot(ends, [height, height], color=colour, marker="|", markersize=5)
            look = {"marker": "o" if farthest > low else "<", "markersize": 4, "clip_on": False}
            face = colour if has_learned.get((delay, row["architecture"], row["recipe"]), False) else "w"
            ax.plot(ends[-1], height, color=colour, markerfacecolor=face, **look)
        name_rows(ax, rows["architecture"].tolist(), style)
        ax.axvline(0, color="k", linewidth=0.5, linestyle=":", zorder=0)
        ax.set(xlabel="log₁₀ ‖∂L/∂hₜ‖", xlim=(low, high))
        heading(ax, f"denoise, T = {delay}")
    _beside_memory(last, table, tables["backward_costs"], style)
    conclude(figure, "After training on denoise, most networks keep gradients over the whole delay")
    legend(figure, ACROSS, FARTHEST, NOT_LEARNED, LARGEST)
    return figure


def _beside_memory(ax: Axes, table: pd.DataFrame, costs: pd.DataFrame, style: Style) -> None:
    memory = costs.set_index(["architecture", "steps"])["kept_mib"]
    places = pd.MultiIndex.from_frame(table[["architecture", "steps"]])
    points = table.assign(kept=memory.reindex(places).array, mean=table[QUARTERS].mean(axis=1)).dropna(subset="kept")
    for name in style.present(points):
        curve, colour = points[points["architecture"] == name].sort_values("delay"), style.colours[name]
        ax.plot(curve["kept"], curve["mean"], color=colour, linewidth=0.8)
        ax.scatter(curve["kept"], curve["mean"], s=[14, *[40] * (len(curve) - 1)], color=colour, zorder=3)
    ax.set(xlabel="memory kept, MiB", ylabel="mean log₁₀ ‖∂L/∂hₜ‖")
    heading(ax, "mean and memory")
    if len(points):
        plain_log(ax, "x")
    else:
        note(ax, "At no delay of trained networks was memory measured.")
