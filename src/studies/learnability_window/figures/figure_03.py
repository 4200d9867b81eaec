"""Figure 3: sample complexity N̂(ℓ) against the envelope, log N̂ over -log f̂, with a linear fit."""

import numpy as np
from matplotlib.figure import Figure

from learnability.report.panels import by_architecture
from learnability.report.style import Style, Tables, note
from learnability.stats.fits import fit_line


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `sample_complexity`: N̂ on the grid of sizes, hollow the closed form where the grid ends.

    Thin lines are bootstrap intervals of the closed form.
    """
    figure, axes = style.panels(len(style.architectures), height_mm=42)
    chosen = tables["sample_complexity"][tables["sample_complexity"]["chosen"]]
    for ax, (architecture, rows) in zip(axes, by_architecture(chosen, style), strict=True):
        colour = style.colours[architecture]
        x, y = -np.log(rows["envelope"].to_numpy()), np.log(rows["sample_complexity"].to_numpy())
        extrapolated = np.where(np.isfinite(y), np.nan, rows["log_sample_complexity"].to_numpy())
        ax.plot(x, y, "o", color=colour, markersize=2.5)
        ax.plot(x, extrapolated, "o", color=colour, markersize=2.5, fillstyle="none", markeredgewidth=0.5)
        if "log_sample_complexity_low" in rows:
            ends = rows[["log_sample_complexity_low", "log_sample_complexity_high"]].to_numpy()
            seen = np.isfinite(ends).all(1) & np.isfinite(rows["log_sample_complexity"])
            limits = ax.get_ylim()
            ax.vlines(x[seen], *ends[seen].T, color=colour, alpha=0.3, linewidth=0.6)
            ax.set_ylim(limits)  # an interval may be far longer than the cloud
        ax.set(xlabel="-log f̂(ℓ)", ylabel="log N̂(ℓ)")
        line, title = fit_line(x, y), style.labels[architecture]
        if np.isfinite(line.slope):
            ends = np.array([x[np.isfinite(y)].min(), x[np.isfinite(y)].max()])
            ax.plot(ends, line.intercept + line.slope * ends, "k--", linewidth=0.8)
            title += f": slope {line.slope:.2g}, R² = {line.r_squared:.2f}"
        ax.set_title(title)
        if not np.isfinite(rows["log_sample_complexity"]).any():
            note(ax, "N̂ = ∞ at every lag")
    return figure
