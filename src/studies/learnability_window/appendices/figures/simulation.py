"""Simulation with known truth: what the pipeline finds beside the truth, and the coverage of its intervals.

It finds sample complexities, windows and their growth.
"""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from learnability.report.panels import log_lags, plain_log
from learnability.report.style import Style, Tables, conclude, heading, legend
from studies.learnability_window.simulation import NAMES, NOMINAL, lowest_coverage

COLOURS = ("#d55e00", "#0173b2")
"""Colours of tail indices."""
OF_NUMBERS = ("#000000", "#ca9161", "#029e73", "#cc78bc")
"""Colours of kinds of numbers, in the order of `QUANTITIES`."""
LINES = ("--", "-", ":", "-.")
"""Line styles of numbers of sequences."""
LOWEST = 0.5
"""N̂ below it is drawn as a hollow triangle on the edge: there is no less than one sequence."""
QUANTITIES = ("signal", "log_sample_complexity", "horizon", "growth")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `examples` and `coverage`, windows of the last decay alone."""
    examples, coverage = tables["examples"], tables["coverage"]
    decays = [name for name in examples["decay"].unique() if name != "all"]
    figure, (*of_decays, of_windows, of_n, of_reach) = style.panels(len(decays) + 3, 3, height_mm=56)
    largest = examples[examples["sequences"] == examples["sequences"].max()]
    extremes = largest[largest["alpha"].isin([largest["alpha"].min(), largest["alpha"].max()])]
    for ax, decay in zip(of_decays, decays, strict=True):
        points = extremes[(extremes["decay"] == decay) & (extremes["quantity"] == "log_sample_complexity")]
        for colour, (alpha, rows) in zip(COLOURS, points.groupby("alpha"), strict=False):
            _sample_complexities(ax, rows, color=colour, label=f"α = {alpha:g}")
        plain_log(ax, "y")
        log_lags(ax)
        # Intervals may be far longer.
        ax.set_ylim(LOWEST, 30 * np.exp(points[["estimate", "truth"]].max().max()))
        ax.set(xlabel="lag ℓ (steps)", ylabel="N̂(ℓ)")
        heading(ax, f"{decay} envelope", ncols=2)
    horizons = extremes[(extremes["decay"] == decays[-1]) & (extremes["quantity"] == "horizon")]
    for colour, (_, rows) in zip(COLOURS, horizons.groupby("alpha"), strict=False):
        _windows(of_windows, rows, color=colour)
    plain_log(of_windows, "x")
    of_windows.set(xlabel="sequences N", ylabel="window Ĥ(N) (steps)", ylim=(-2, None))
    heading(of_windows, f"{decays[-1]} envelope")
    lowest = lowest_coverage(coverage)
    of_reach.sharey(of_n)
    for ax, kinds in ((of_n, QUANTITIES[:2]), (of_reach, QUANTITIES[2:])):
        for quantity in kinds:
            _coverage(ax, lowest[lowest["quantity"] == quantity], OF_NUMBERS[QUANTITIES.index(quantity)])
        ax.axhspan(*NOMINAL, color="k", alpha=0.08, linewidth=0)
        ax.set(xlabel="tail index α", ylabel="coverage", xticks=lowest["alpha"].unique())
        ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        heading(ax, "lowest coverage")
    conclude(figure, "Intervals cover known truths nearly as often as they should, or more")
    legend(figure, *(handle for ax in (of_n, of_reach) for handle in ax.get_legend_handles_labels()[0]))
    return figure


def _sample_complexities(ax: Axes, rows: pd.DataFrame, **line: Any) -> None:
    """N̂ with its intervals as points, the truth as a line."""
    estimate, low, high, truth = (np.exp(rows[name]) for name in ("estimate", "low", "high", "truth"))
    ax.vlines(rows["at"], low, high, color=line["color"], linewidth=0.9)
    ax.plot(rows["at"], estimate, "o", markersize=2.5, **line)
    for lag in rows.loc[estimate < LOWEST, "at"]:
        ax.plot(lag, LOWEST, "v", color=line["color"], markersize=4, markerfacecolor="w", clip_on=False)
    ax.plot(rows["at"], truth, linewidth=0.8, color=line["color"])


def _windows(ax: Axes, rows: pd.DataFrame, color: str) -> None:
    """Ĥ_N with its interval as a band, the truth as a line."""
    ax.fill_between(rows["at"], rows["low"], rows["high"], step="post", color=color, alpha=0.2, linewidth=0)
    ax.step(rows["at"], rows["truth"], where="post", linewidth=0.8, color=color)
    ax.plot(rows["at"], rows["estimate"], "o", markersize=2.5, color=color)


def _coverage(ax: Axes, lowest: pd.DataFrame, colour: str) -> None:
    """The lowest coverage of a kind of number over decays, lags and N, with its interval."""
    for line, (count, rows) in zip(LINES, lowest.groupby("sequences"), strict=False):
        worst = rows.loc[rows.groupby("alpha")["coverage"].idxmin()]
        error = [worst["coverage"] - worst["coverage_low"], worst["coverage_high"] - worst["coverage"]]
        label = f"{NAMES[str(rows['quantity'].iloc[0])]}, n = {count}"
        ax.errorbar(worst["alpha"], worst["coverage"], error, color=colour, linestyle=line, linewidth=0.9, label=label)
