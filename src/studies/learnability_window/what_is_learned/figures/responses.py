"""Learned responses of predictions to the input at each lag, and the parts of the loss."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import by_architecture, name_rows, seed_band
from learnability.report.style import BAND, Style, Tables, conclude, heading, legend

SHADES = {"noise": "0.85", "missing": "0.25", "echoes": "0.5", "rest": "0.7"}
TASK = Line2D([], [], color="k", linestyle="", marker="+", markersize=5, label="coefficient c of the task")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `response` and `loss`: a panel for each architecture, then a bar for each."""
    figure, axes = style.panels(len(style.architectures) + 2)
    shares, *panels, bars = axes
    response = tables["response"]
    for ax, (architecture, rows) in zip(panels, by_architecture(response, style), strict=True):
        task = rows[rows["coefficient"] != 0]
        learned = task.assign(share=task["response"] / task["coefficient"])
        seed_band(shares, learned, "lag", "share", architecture, style, markevery=1)
        rows = rows.drop(columns=["response_low", "response_high"], errors="ignore")
        seed_band(ax, rows, "lag", "response", architecture, style, linewidth=0.6, linestyle="-", marker="")
        at_task = rows[rows["coefficient"] != 0].groupby("lag")[["coefficient", "response"]].median()
        ax.plot(at_task.index, at_task["coefficient"], "k+", markersize=5)
        ax.plot(at_task.index, at_task["response"], **style.line(architecture) | {"linestyle": ""})
        ax.axhline(0, color="0.8", linewidth=0.5, zorder=0)
        ax.set(xlabel="lag ℓ (steps)", ylabel="response r(ℓ)")
        heading(ax, style.labels[architecture])
    limits = [ax.get_ylim() for ax in panels]
    for ax in panels:
        ax.set_ylim(min(low for low, _ in limits), max(high for _, high in limits))
    shares.axhline(0, color="0.8", linewidth=0.5, zorder=0)
    shares.set(xlabel="lag ℓ (steps)", ylabel="learned share r/c")
    heading(shares, "learned share")
    shares.set(xticks=sorted(response.loc[response["coefficient"] != 0, "lag"].unique())[1:], ylim=(-0.05, 1.05))
    shares.grid(axis="y", color="0.92", linewidth=0.6)
    _parts(bars, tables["loss"], style)
    conclude(figure, "Learning fades with the lag")
    legend(figure, *style.handles(), TASK, BAND)
    return figure


def _parts(ax: Axes, loss: pd.DataFrame, style: Style) -> None:
    """A bar of the parts of the loss for each architecture, means over seeds."""
    rows, edges = range(len(style.architectures)), np.zeros(len(style.architectures))
    parts = loss.assign(part=loss["part"].replace("bias", "rest"))  # a bias is too small to be seen
    means = parts.groupby(["part", "architecture", "optimizer", "seed"])["loss"].sum()
    means = means.groupby(["part", "architecture"]).mean()
    for part, shade in SHADES.items():
        # Chance may leave a part a little below 0.
        width = means[part].loc[list(style.architectures)].clip(lower=0).to_numpy()
        ax.barh(rows, width, left=edges, color=shade, label=part)
        edges += width
    name_rows(ax, style.architectures, style)
    ax.set(xlabel="squared error", ylabel="network")
    heading(ax, "parts of the loss", ncols=2)
