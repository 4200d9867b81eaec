"""Factors of the sample complexity: N̂(ℓ) and the signal Δ̂, noise scale σ̂ and exponent κ that it is made of."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import by_architecture, seed_band
from learnability.report.style import BAND, INTERVAL, Style, Tables, conclude, heading, legend, note

FACTORS = {
    "log_sample_complexity": "log₁₀ N̂(ℓ)",
    "signal": "log₁₀ Δ̂(ℓ)",
    "scale": "log₁₀ σ̂(ℓ)",
    "kappa": "exponent κ(ℓ)",
}
NAMES = {
    "log_sample_complexity": "sample complexity",
    "signal": "signal",
    "scale": "noise scale",
    "kappa": "exponent",
}
TASK = Line2D([], [], color="0.8", linewidth=0.5, label="lag of the task")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `sample_complexity`, by the reading's criterion: N̂ before it is rounded to the grid."""
    sample_complexity = tables["sample_complexity"][tables["sample_complexity"]["chosen"]]
    bunches = style.bunches()
    figure, axes = style.panels(len(FACTORS) * len(bunches), len(FACTORS), sharex=True)
    for row, (factor, label) in zip(axes.reshape(-1, len(FACTORS)).T, FACTORS.items(), strict=True):
        ends = [f"{factor}{end}" for end in ("", "_low", "_high") if f"{factor}{end}" in sample_complexity]
        logs = sample_complexity.assign(**{name: _scaled(sample_complexity[name], factor) for name in ends})
        medians = (
            logs.groupby(["architecture", "seed", "lag"])[factor].median().groupby(["architecture", "lag"]).median()
        )
        finite = medians[np.isfinite(medians)]
        for ax, names in zip(row, bunches, strict=True):
            for architecture, rows in by_architecture(logs[logs["architecture"].isin(names)], style):
                if len(rows):
                    seed_band(ax, rows, "lag", factor, architecture, style)
            if len(finite):
                # Bands and intervals may be far longer.
                room = 0.25 * np.ptp(finite) + 0.2
                ax.set_ylim(finite.min() - room, finite.max() + room)
            if not any(np.isfinite(line.get_ydata()).any() for line in ax.lines):
                note(ax, "median N̂ = ∞ at every lag")
            for lag in sample_complexity.loc[sample_complexity["task_lag"], "lag"].unique():
                ax.axvline(lag, color="0.8", linewidth=0.5, zorder=0)
            ax.set(xlabel="lag ℓ (steps)", ylabel=label)
            heading(ax, NAMES[factor])
    conclude(figure, _message(sample_complexity))
    legend(figure, *style.handles(), BAND, INTERVAL, TASK)
    return figure


def _message(table: pd.DataFrame) -> str:
    """How signal and noise of all architectures change from the first to the last lag."""
    medians = table.groupby(["architecture", "lag"])[["signal", "scale"]].median().groupby("architecture")
    falls = medians.last() < medians.first()
    is_falling = falls.all()
    if is_falling.all():
        return "Signal and noise fall with the lag"
    if is_falling["signal"] and not falls["scale"].any():
        return "The signal falls with the lag, the noise does not"
    if is_falling["scale"]:
        return "The noise falls with the lag, the signal not in every architecture"
    return "Sample complexity and what it is made of"


def _scaled(values: pd.Series, factor: str) -> pd.Series:
    if factor == "kappa":
        return values
    with np.errstate(divide="ignore"):
        return values / np.log(10) if factor == "log_sample_complexity" else np.log10(values)
