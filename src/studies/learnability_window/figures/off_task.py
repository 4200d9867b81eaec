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
            at = rows.groupby("lag").agg(
                log_sample_complexity=("log_sample_complexity", "median"), task_lag=("task_lag", "first")
            )
            colour, y = (
                style.colours[architecture],
                at["log_sample_complexity"].where(np.isfinite(at["log_sample_complexity"])) / np.log(10),
            )
            ax.plot(at.index, y, ".-", color=colour, linewidth=0.7, markersize=2, label=style.labels[architecture])
            ax.plot(at.index[at["task_lag"]], y[at["task_lag"]], "o", color=colour, markersize=4)
        for lag in some.loc[some["task_lag"], "lag"].unique():
            ax.axvline(lag, color="0.8", linewidth=0.5, zorder=0)
        ax.set(xlabel="lag ℓ (steps)", ylabel=f"log₁₀ N̂(ℓ), {transport.replace('_', ' ')}")
        if not np.isfinite(some["log_sample_complexity"]).any():
            note(ax, "N̂ = ∞ at every lag")
    axes[0].legend(loc="lower center", bbox_to_anchor=(0.5, 1.1), ncols=2)
    return figure
