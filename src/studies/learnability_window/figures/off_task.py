"""The off-task control: N̂(ℓ) at the lags of the task and away from them, by each kind of transport."""

import numpy as np
from matplotlib.figure import Figure

from learnability.report.panels import by_architecture
from learnability.report.style import Style, Tables, note


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `sample_complexities`, by the reading's criterion, medians over seeds; filled: task lags."""
    chosen = tables["sample_complexities"][tables["sample_complexities"]["chosen"]]
    figure, axes = style.panels(2, height_mm=52)
    for ax, transport in zip(axes, ("first_order", "exact"), strict=True):
        some = chosen[chosen["transport"] == transport]
        for architecture, rows in by_architecture(some, style):
            by_lag = rows.groupby("lag")
            median, on_task = by_lag["log_sample_complexity"].median(), by_lag["task_lag"].first()
            y = median.where(np.isfinite(median)) / np.log(10)
            colour, label = style.colours[architecture], style.labels[architecture]
            ax.plot(y.index, y, ".-", color=colour, linewidth=0.7, markersize=2, label=label)
            ax.plot(y.index[on_task], y[on_task], "o", color=colour, markersize=4)
        for lag in some.loc[some["task_lag"], "lag"].unique():
            ax.axvline(lag, color="0.8", linewidth=0.5, zorder=0)
        ax.set(xlabel="lag ℓ (steps)", ylabel=f"log₁₀ N̂(ℓ), {transport.replace('_', ' ')}")
        if not np.isfinite(some["log_sample_complexity"]).any():
            note(ax, "N̂ = ∞ at every lag")
    axes[0].legend(loc="lower center", bbox_to_anchor=(0.5, 1.1), ncols=2)
    return figure
