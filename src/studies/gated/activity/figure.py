"""Effects of penalties on saturation, on gradients across lags and on validation loss."""

from dataclasses import replace

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import name_rows, plain_log, seed_band
from learnability.report.style import BAND, Style, Tables, conclude, heading, legend

TASKS = {"sum": "delayed sum", "denoise": "denoise"}
FILLS = {"sum": "w", "denoise": None}
"""Marks of a task are hollow or filled."""
MARKS = [
    Line2D(
        [],
        [],
        color="k",
        linewidth=0.8,
        marker=".",
        markersize=8,
        markerfacecolor=FILLS[task],
        label=f"(c, d) {words}, with range over seeds",
    )
    for task, words in TASKS.items()
]
GROWTH = 1.1
"""Factor from which the page counts a gradient as grown."""
EQUAL = Line2D([], [], color="k", linewidth=0.5, linestyle=":", label="as without penalty")
A_TENTH = Line2D([], [], color="k", linewidth=0.5, label="a tenth more")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables of `studies.gated.activity.measure`."""
    units, gradients = tables["activity_units"], tables["activity_gradients"]
    plain = units.loc[units["strength"] == 0, "architecture"].iloc[0]
    style = replace(style, architectures=style.present(units))
    figure, (of_sum, of_denoise, saturation, loss) = style.panels(4, 2, height_mm=56)
    for ax, task in ((of_sum, "sum"), (of_denoise, "denoise")):
        ratios = _relative_gradients(gradients[gradients["task"] == task], plain)
        for name in style.present(ratios):
            seed_band(ax, ratios[ratios["architecture"] == name], "lag", "ratio", name, style)
        ax.axhline(1, color="k", linewidth=0.5, linestyle=":")
        ax.axhline(GROWTH, color="k", linewidth=0.5)
        _count_grown(ax, ratios)
        ax.set(xlabel="lag ℓ (steps)", ylabel=f"gradient / that of {style.labels[plain]}")
        heading(ax, f"gradient across ℓ steps, {TASKS[task]}")
    of_denoise.sharey(of_sum)
    plain_log(of_sum, "y")
    _draw_networks(saturation, units, "saturated", style)
    saturation.set_xlabel("share of hidden units")
    heading(saturation, "saturated units")
    _draw_networks(loss, units, "validation_loss", style)
    plain_log(loss, "x")
    loss.set_xlabel("squared error")
    heading(loss, "validation loss")
    conclude(figure, "Penalties on activity leave fewer units saturated; some let gradients grow")
    without_plain = replace(style, architectures=[name for name in style.architectures if name != plain])
    legend(figure, *without_plain.handles(), EQUAL, A_TENTH, BAND, *MARKS)
    return figure


def _relative_gradients(gradients: pd.DataFrame, plain: str) -> pd.DataFrame:
    """The gradient with each penalty over the gradient without one, of the same seed and lag, as `ratio`."""
    without = gradients[gradients["architecture"] == plain].set_index(["seed", "lag"])["gradient"]
    rows = gradients[gradients["architecture"] != plain].set_index(["seed", "lag"])
    return rows.assign(ratio=rows["gradient"] / without.reindex(rows.index)).reset_index()


def _count_grown(ax: Axes, ratios: pd.DataFrame) -> None:
    """Write how many of the gradients have grown across the longest lag, in the median over seeds."""
    longest = ratios[ratios["lag"] == ratios["lag"].max()]
    medians = longest.groupby("architecture")["ratio"].median()
    words = f"{(medians > GROWTH).sum()} of {len(medians)} grown at ℓ = {longest['lag'].max()}"
    ax.text(0.03, 0.05, words, transform=ax.transAxes)


def _draw_networks(ax: Axes, units: pd.DataFrame, quantity: str, style: Style) -> None:
    """A row for each network: a mark for each task at the median over seeds, with a line from least to largest."""
    for shift, task in zip((-0.15, 0.15), TASKS, strict=True):
        for place, name in enumerate(style.architectures):
            values = units.loc[(units["architecture"] == name) & (units["task"] == task), quantity]
            colour = style.colours[name]
            ax.hlines(place + shift, values.min(), values.max(), color=colour, linewidth=0.8)
            ax.plot(values.median(), place + shift, color=colour, marker=".", markersize=8, markerfacecolor=FILLS[task])
    name_rows(ax, style.architectures, style)
    ax.set_ylabel("network")
