"""Figure 3: sample complexity N̂(ℓ) against the envelope, log N̂ over -log f̂, with a linear fit."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import by_architecture
from learnability.report.style import INTERVAL, Style, Tables, conclude, heading, legend, note, unbroken
from learnability.stats.fits import fit_line

MOST = 0.5
"""Share of a variance from which it is most of it."""
HANDLES = [
    Line2D([], [], color="k", linestyle="", marker="o", markersize=2.5, label="N̂ on the grid of N"),
    Line2D([], [], color="k", linestyle="", marker="o", markersize=2.5, fillstyle="none", label="beyond the grid"),
    Line2D([], [], color="k", linestyle="--", linewidth=0.8, label="fit to the filled points"),
    INTERVAL,
]


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `sample_complexity`: N̂ on the grid of sizes, hollow the closed form where the grid ends.

    Thin lines are bootstrap intervals of the closed form. Both axes are in decades.
    """
    figure, axes = style.panels(len(style.architectures), height_mm=56)
    explained: list[float] = []
    by_criterion = tables["sample_complexity"][tables["sample_complexity"]["chosen"]]
    for ax, (architecture, rows) in zip(axes, by_architecture(by_criterion, style), strict=True):
        colour, marker = style.colours[architecture], style.line(architecture)["marker"]
        x, y = -np.log10(rows["envelope"].to_numpy()), np.log10(rows["sample_complexity"].to_numpy())
        beyond = np.where(np.isfinite(y), np.nan, rows["log_sample_complexity"].to_numpy() / np.log(10))
        ax.plot(x, y, marker, color=colour, markersize=2.5)
        ax.plot(x, beyond, marker, color=colour, markersize=2.5, fillstyle="none", markeredgewidth=0.5)
        if "log_sample_complexity_low" in rows:
            ends = rows[["log_sample_complexity_low", "log_sample_complexity_high"]].to_numpy() / np.log(10)
            inside = np.isfinite(ends).all(1) & np.isfinite(rows["log_sample_complexity"])
            limits = ax.get_ylim()
            ax.vlines(x[inside], *ends[inside].T, color=colour, alpha=0.3, linewidth=0.6)
            ax.set_ylim(limits)  # an interval may be far longer than the cloud
        ax.set(xlabel="-log₁₀ f̂(ℓ)", ylabel="log₁₀ N̂(ℓ)")
        line, words = fit_line(x, y), "no line can be fitted"
        if np.isfinite(line.slope):
            ends = np.array([x[np.isfinite(y)].min(), x[np.isfinite(y)].max()])
            ax.plot(ends, line.intercept + line.slope * ends, "k--", linewidth=0.8)
            explained.append(line.r_squared)
            fit = unbroken(f"R² = {line.r_squared:.2f}")
            words = f"slope {line.slope:.2g} over {line.points} points, {fit}"
        heading(ax, f"{style.labels[architecture]}: {words}")
        if not np.isfinite(rows["log_sample_complexity"]).any():
            note(ax, "N̂ = ∞ at every lag")
    conclude(figure, _message(explained))
    legend(figure, *HANDLES)
    return figure


def _message(explained: Sequence[float]) -> str:
    """How much of the variance of log N̂ on the grid lines explain, by the share for each line."""
    if max(explained, default=0) < MOST:
        return "Lines explain less than half of the variance of log N̂ on the grid"
    alone = " in some architectures alone" * (min(explained) < MOST)
    return f"Lines explain most of the variance of log N̂ on the grid{alone}"
