"""Figure 3: sample need N̂(ℓ) against the envelope, log N̂ over -log f̂, with a linear fit."""

import numpy as np
from matplotlib.figure import Figure

from learnability.figures.panels import by_architecture
from learnability.figures.style import Style, Tables, note
from learnability.fits import fit_line


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `need`, the lags of all seeds at which the reading's criterion gives a finite N̂."""
    figure, axes = style.panels(len(style.architectures), height_mm=42)
    chosen = tables["need"][tables["need"]["chosen"]]
    for ax, (architecture, rows) in zip(axes, by_architecture(chosen, style), strict=True):
        colour = style.colours[architecture]
        x, y = -np.log(rows["envelope"].to_numpy()), rows["log_need"].to_numpy()
        reached = np.isfinite(rows["need"].to_numpy())
        beyond = np.isfinite(y) & ~reached
        ax.plot(x[reached], y[reached], "o", color=colour, markersize=2.5)
        ax.plot(x[beyond], y[beyond], "o", color=colour, markersize=2.5, fillstyle="none", markeredgewidth=0.5)
        ax.set_title(style.labels[architecture])
        ax.set(xlabel="-log f̂(ℓ)", ylabel="log N̂(ℓ)")
        line = fit_line(x, y)
        if np.isfinite(line.slope):
            ends = np.array([x[np.isfinite(y)].min(), x[np.isfinite(y)].max()])
            ax.plot(ends, line.intercept + line.slope * ends, "k--", linewidth=0.8)
            ax.set_title(f"slope {line.slope:.2g}, R² = {line.r_squared:.2f}", loc="right")
        elif not np.isfinite(y).any():
            note(ax, "N̂ = ∞ at every lag")
    return figure
