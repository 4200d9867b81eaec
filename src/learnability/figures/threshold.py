"""The detectability threshold ε_th(ℓ; N) (Eq. 38) for several N beside the envelope f̂(ℓ)."""

import numpy as np
from matplotlib.figure import Figure

from learnability.detection import detectability_threshold
from learnability.figures.panels import by_architecture
from learnability.figures.style import Style, Tables, note

SIZES = (100, 800, 12_800)


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `need`, medians over seeds; a lag is detectable where the envelope is above the threshold."""
    need = tables["need"][tables["need"]["chosen"]]
    figure, axes = style.panels(len(style.architectures), height_mm=45)
    for ax, (architecture, rows) in zip(axes, by_architecture(need, style), strict=True):
        envelope = rows.groupby("lag")["envelope"].median()
        ax.plot(envelope.index, np.log10(envelope), color=style.colours[architecture], label="log₁₀ f̂(ℓ)")
        for size, shade in zip(SIZES, ("0.75", "0.5", "0.2"), strict=True):
            found = rows.assign(threshold=detectability_threshold(rows, size)).groupby("lag")["threshold"].median()
            finite = found.where(np.isfinite(found))
            ax.plot(finite.index, np.log10(finite), color=shade, marker=".", markersize=3, label=f"N = {size}")
        ax.set_title(style.labels[architecture])
        ax.set(xlabel="lag ℓ (steps)", ylabel="log₁₀ f̂, log₁₀ ε_th")
        if not np.isfinite(rows["log_need"]).any():
            note(ax, "ε_th = ∞ at every lag")
    axes[0].legend(loc="lower center", bbox_to_anchor=(0.5, 1.15), ncols=2)
    return figure
