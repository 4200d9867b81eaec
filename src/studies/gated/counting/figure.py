"""Section 10: which n networks tell right, trained on and beyond, and how far each goes at every learning rate."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import label_point
from learnability.report.style import Style, Tables, conclude, heading, legend
from studies.gated.counting.measure import CELLS
from studies.gated.curves import over_seeds

DASHES: dict[int, Any] = {1: "-", 2: "--"}
"""Lines at multiples of the longest n of training."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `counting_runs` and `counting_lengths`."""
    runs, right = tables["counting_runs"], tables["counting_lengths"]
    longest = right["n"].max()
    figure, (lengths, rates) = style.panels(2, height_mm=82)
    lasts = {}
    for name in CELLS:
        by_seed = right[right["architecture"] == name].pivot(index="n", columns="seed", values="right")
        lengths.plot(by_seed.mean(axis=1), **style.line(name) | {"marker": "", "drawstyle": "steps-mid"})
        lasts[name] = by_seed
        rows = runs[runs["architecture"] == name]
        over_seeds(rates, rows, "rate", "right_up_to", **style.line(name) | {"markevery": 1})
    _label_lasts(lengths, lasts, style)
    _mark_longest(lengths, rates, int(runs["trained_up_to"].iloc[0]))
    lengths.set(xlabel="n", ylabel="share of seeds that are right", ylim=(-0.03, 1.03), xlim=(0, longest))
    heading(lengths, "at the best learning rate")
    rates.set(xlabel="learning rate", ylabel="right up to n", xscale="log", ylim=(0, 1.03 * longest))
    ticks = sorted(runs["rate"].unique())
    rates.set_xticks(ticks, [f"{rate:g}" for rate in ticks])
    rates.minorticks_off()
    heading(rates, "by learning rate: median and range over seeds")
    conclude(figure, "Some LSTMs count to twice the longest n of training and farther; no GRU or RNN does")
    limit = Line2D([], [], color="k", linewidth=0.5, label="longest n of training")
    double = Line2D([], [], color="k", linewidth=0.5, linestyle=DASHES[2], label="twice as long")
    lines = [Line2D([], [], **style.line(name)) for name in CELLS]
    legend(figure, *lines, limit, double)
    return figure


def _label_lasts(ax: Axes, right: dict[str, pd.DataFrame], style: Style) -> None:
    """Write the largest n that some seed tells right, if larger ones are tested; left of a curve for the least."""
    lasts = {name: int(rows.index[rows.any(axis=1)].max()) for name, rows in right.items() if rows.any(axis=None)}
    for name, last in lasts.items():
        if last < right[name].index.max():
            aside = (-3, -3) if last == min(lasts.values()) else (3, -3)
            label_point(ax, f"{last}", (last, right[name].loc[last].mean()), aside, color=style.colours[name])


def _mark_longest(lengths: Axes, rates: Axes, longest: int) -> None:
    for times, dash in DASHES.items():
        lengths.axvline(times * longest, color="k", linewidth=0.5, linestyle=dash)
        rates.axhline(times * longest, color="k", linewidth=0.5, linestyle=dash)
