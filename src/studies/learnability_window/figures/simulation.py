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
from learnability.report.style import Style, Tables, heading, headline, legend
from studies.learnability_window.simulation import NAMES, NOMINAL, lowest_coverage

COLOURS = ("#d55e00", "#0173b2")
"""Of tail indices."""
OF_NUMBERS = ("#000000", "#ca9161", "#029e73", "#cc78bc")
"""Of kinds of numbers, in the order of `COVERED`."""
LINES = ("--", "-", ":", "-.")
"""Of numbers of sequences."""
COVERED = ("signal", "log_sample_complexity", "horizon", "growth")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `examples` and `coverage`."""
    examples, coverage = tables["examples"], tables["coverage"]
    decays = [name for name in examples["decay"].unique() if name != "all"]
    figure, axes = style.panels(2 * (len(decays) + 1), 4)
    largest = examples[examples["sequences"] == examples["sequences"].max()]
    shown = largest[largest["alpha"].isin([largest["alpha"].min(), largest["alpha"].max()])]
    for decay, (left, right) in zip(decays, axes[:-2].reshape(-1, 2), strict=True):
        for colour, (alpha, rows) in zip(COLOURS, shown[shown["decay"] == decay].groupby("alpha"), strict=False):
            complexities, horizons = (rows[rows["quantity"] == name] for name in ("log_sample_complexity", "horizon"))
            _sample_complexities(left, complexities, color=colour, label=f"α = {alpha:g}")
            _windows(right, horizons, color=colour)
        plain_log(left, "y")
        plain_log(right, "x")
        log_lags(left)
        found = shown[(shown["decay"] == decay) & (shown["quantity"] == "log_sample_complexity")]
        # Intervals may be far longer, and N̂ is no less than 1.
        left.set_ylim(0.5, 30 * np.exp(found[["estimate", "truth"]].max().max()))
        left.set(xlabel="lag ℓ (steps)", ylabel="N̂(ℓ)")
        heading(left, f"{decay} envelope", ncols=1 if left is axes[0] else 0)
        heading(right, "windows")
        right.set(xlabel="sequences N", ylabel="window Ĥ(N) (steps)", ylim=(-2, None))
    lowest = lowest_coverage(coverage)
    for ax, kinds in ((axes[-2], COVERED[:2]), (axes[-1], COVERED[2:])):
        for quantity in kinds:
            _coverage(ax, lowest[lowest["quantity"] == quantity], OF_NUMBERS[COVERED.index(quantity)])
        ax.axhspan(*NOMINAL, color="k", alpha=0.08, linewidth=0)
        ax.set(xlabel="tail index α", ylabel="coverage", xticks=lowest["alpha"].unique())
        ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        heading(ax, "lowest coverage")
    headline(figure, "Estimates from simulated gradients, and coverage of their intervals")
    legend(figure, *(handle for ax in axes[-2:] for handle in ax.get_legend_handles_labels()[0]))
    return figure


def _sample_complexities(ax: Axes, rows: pd.DataFrame, **line: Any) -> None:
    """N̂ with its intervals as points, the truth as a line."""
    estimate, low, high, truth = (np.exp(rows[name]) for name in ("estimate", "low", "high", "truth"))
    ax.vlines(rows["at"], low, high, color=line["color"], linewidth=0.9)
    ax.plot(rows["at"], estimate, "o", markersize=2.5, **line)
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
