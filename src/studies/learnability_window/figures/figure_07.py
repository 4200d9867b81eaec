"""Figure 7: normalised residual R(ℓ) of the scaling law (Eq. 73)."""

from matplotlib.figure import Figure

from learnability.report.panels import by_architecture, seed_band
from learnability.report.style import Style, Tables, note


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `sample_complexity`, N̂ on the grid of sample sizes as the reading's criterion finds it."""
    figure, axes = style.panels(len(style.architectures), height_mm=42)
    chosen = tables["sample_complexity"][tables["sample_complexity"]["chosen"]]
    for ax, (architecture, rows) in zip(axes, by_architecture(chosen, style), strict=True):
        finite = rows.dropna(subset="residual")
        ax.set_title(style.labels[architecture])
        ax.set(xlabel="lag ℓ (steps)", ylabel="residual R(ℓ)")
        if finite.empty:
            note(ax, "N̂ is beyond the grid at every lag")
        else:
            seed_band(ax, finite, "lag", "residual", architecture, style, marker="o", markersize=2.5)
    return figure
