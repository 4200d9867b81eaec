"""The detectability threshold ε_th(ℓ; N) (Eq. 38) over the envelope f̂(ℓ), for several N."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import by_architecture
from learnability.report.style import Style, Tables, conclude, heading, legend, note
from learnability.windows.detection import detectability_threshold

SIZES = {100: ("0.7", "o"), 800: ("0.45", "s"), 12_800: ("0.1", "D")}
"""N, and what its points look like."""
EQUAL = Line2D([], [], color="k", linestyle=":", linewidth=0.8, label="threshold equals envelope")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `sample_complexity`, medians over seeds: detectable where the quotient is below 1."""
    sample_complexity = tables["sample_complexity"][tables["sample_complexity"]["chosen"]]
    figure, axes = style.panels(len(style.architectures), sharex=True)
    lags = sample_complexity["lag"]
    for ax, (architecture, rows) in zip(axes, by_architecture(sample_complexity, style), strict=True):
        ax.axhline(0, color="k", linestyle=":", linewidth=0.8)
        for size, (shade, marker) in SIZES.items():
            quotient = detectability_threshold(rows, size) / rows["envelope"]
            medians = quotient.groupby(rows["lag"]).median()
            finite = medians.where(np.isfinite(medians))
            ax.plot(finite.index, np.log10(finite), color=shade, marker=marker, markersize=2.5, linewidth=0.8)
        heading(ax, style.labels[architecture])
        ax.set(xlabel="lag ℓ (steps)", ylabel="log₁₀ ($ε_{th}$ / f̂)", xlim=(0, 1.03 * lags.max()))
        if not np.isfinite(rows["log_sample_complexity"]).any():
            note(ax, "$ε_{th}$ = ∞ at every lag")
    conclude(figure, "Even for the largest N the threshold lies above the envelope at most lags")
    points = [
        Line2D([], [], color=shade, marker=marker, markersize=2.5, linewidth=0.8, label=f"N = {size:,}")
        for size, (shade, marker) in SIZES.items()
    ]
    legend(figure, *points, EQUAL)
    return figure
