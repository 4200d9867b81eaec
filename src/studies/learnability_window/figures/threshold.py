"""The detectability threshold ε_th(ℓ; N) (Eq. 38) over the envelope f̂(ℓ), for several N."""

import numpy as np
from matplotlib.figure import Figure

from learnability.report.panels import by_architecture
from learnability.report.style import Style, Tables, note
from learnability.windows.detection import detectability_threshold

SIZES = (100, 800, 12_800)


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `sample_complexity`, medians over seeds: detectable where the quotient is below 1."""
    sample_complexity = tables["sample_complexity"][tables["sample_complexity"]["chosen"]]
    figure, axes = style.panels(len(style.architectures), height_mm=45)
    for ax, (architecture, rows) in zip(axes, by_architecture(sample_complexity, style), strict=True):
        ax.axhline(0, color=style.colours[architecture], label="ε_th = f̂")
        for size, shade in zip(SIZES, ("0.75", "0.5", "0.2"), strict=True):
            quotient = detectability_threshold(rows, size) / rows["envelope"]
            found = quotient.groupby(rows["lag"]).median()
            finite = found.where(np.isfinite(found))
            ax.plot(finite.index, np.log10(finite), color=shade, marker=".", markersize=3, label=f"N = {size}")
        ax.set_title(style.labels[architecture])
        ax.set(xlabel="lag ℓ (steps)", ylabel="log₁₀ (ε_th / f̂)")
        if not np.isfinite(rows["log_sample_complexity"]).any():
            note(ax, "ε_th = ∞ at every lag")
    axes[0].legend(loc="lower center", bbox_to_anchor=(0.5, 1.15), ncols=2)
    return figure
