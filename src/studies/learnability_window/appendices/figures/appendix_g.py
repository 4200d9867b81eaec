"""Appendix G: windows of three decays of the envelope, by inversion and in closed form."""

import numpy as np
from matplotlib.figure import Figure

from learnability.report.panels import plain_log
from learnability.report.style import Style, Tables, heading, headline
from learnability.stats.fits import fit_line
from studies.learnability_window.appendices.figures.theory_panels import by_tail_index
from studies.learnability_window.theory.inversion import POWER, RATE
from studies.learnability_window.theory.sample_complexity import kappa

LONGEST = 1e15
"""Windows beyond it are not drawn."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `windows` of `theory.inversion`: points by inversion, lines in closed form."""
    figure, axes = style.panels(3, height_mm=70)
    for ax, (regime, table) in zip(axes, tables["windows"].groupby("regime", sort=False), strict=True):
        for alpha, rows, colour in by_tail_index(table[table["horizon"].between(1, LONGEST)]):
            sizes, horizons = rows["sample_size"].to_numpy(), rows["horizon"].to_numpy()
            label = f"α = {alpha:g}: {_growth(str(regime), sizes, horizons, alpha)}"
            ax.plot(sizes, horizons, "o", markersize=2.5, color=colour, label=label)
            ax.plot(sizes, rows["closed_form"], color=colour, linewidth=0.8)
        ax.set(xlabel="sequences N", ylabel="window (steps)")
        for axis in "x" if regime == "exponential" else "xy":
            plain_log(ax, axis)
        ax.xaxis.set_major_formatter("{x:.0e}")
        if regime == "logarithmic":
            ax.yaxis.set_major_formatter("{x:.0e}")
        heading(ax, f"{regime} envelope: measured growth (the paper's)", ncols=2)
    headline(figure, "Windows by inversion agree with the closed forms")
    return figure


def _growth(regime: str, size: np.ndarray, horizon: np.ndarray, alpha: float) -> str:
    """The measured law of growth beside the paper's, from the larger half of the windows."""
    half = horizon >= np.sqrt(horizon.max())
    n, h = np.log(size[half]), horizon[half]
    if regime == "logarithmic":
        return f"{fit_line(n, np.log(np.log1p(h))).slope:.3f} ({1 / kappa(alpha):.3f})"
    if regime == "polynomial":
        return f"{fit_line(n, np.log(h)).slope:.3f} ({1 / (kappa(alpha) * POWER):.3f})"
    return f"{fit_line(n, h).slope:.1f} ({1 / (kappa(alpha) * np.log(1 / RATE)):.1f})"
