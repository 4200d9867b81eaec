"""What moves the sample complexity: N̂(ℓ) and the signal Δ̂, noise scale σ̂ and exponent κ that it is made of."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from learnability.report.panels import by_architecture, seed_band
from learnability.report.style import Style, Tables, note

FACTORS = {
    "log_sample_complexity": "log₁₀ N̂(ℓ)",
    "signal": "log₁₀ Δ̂(ℓ)",
    "scale": "log₁₀ σ̂(ℓ)",
    "kappa": "exponent κ(ℓ)",
}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `sample_complexity`, by the reading's criterion: N̂ before it is rounded to the grid."""
    sample_complexity = tables["sample_complexity"][tables["sample_complexity"]["chosen"]]
    figure, axes = style.panels(len(FACTORS), height_mm=42)
    for ax, (factor, label) in zip(axes, FACTORS.items(), strict=True):
        ends = [f"{factor}{end}" for end in ("", "_low", "_high") if f"{factor}{end}" in sample_complexity]
        shown = sample_complexity.assign(**{name: _scaled(sample_complexity[name], factor) for name in ends})
        finite = shown[np.isfinite(shown[factor])]
        for architecture, rows in by_architecture(shown, style):
            seed_band(ax, rows, "lag", factor, architecture, style)
        if factor == "log_sample_complexity" and len(finite):
            # Intervals may be far longer.
            ax.set_ylim(0.9 * finite[factor].min() - 0.5, 1.1 * finite[factor].max() + 0.5)
        if not any(np.isfinite(line.get_ydata()).any() for line in ax.lines):
            note(ax, "median N̂ = ∞ at every lag")
        for lag in sample_complexity.loc[sample_complexity["task_lag"], "lag"].unique():
            ax.axvline(lag, color="0.8", linewidth=0.5, zorder=0)
        ax.set(xlabel="lag ℓ (steps)", ylabel=label)
    axes[0].legend(loc="lower center", bbox_to_anchor=(0.5, 1.15), ncols=2)
    return figure


def _scaled(values: pd.Series, factor: str) -> pd.Series:
    if factor == "kappa":
        return values
    with np.errstate(divide="ignore"):
        return values / np.log(10) if factor == "log_sample_complexity" else np.log10(values)
