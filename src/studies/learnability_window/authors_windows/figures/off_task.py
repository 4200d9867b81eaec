"""The off-task control: N̂(ℓ) at the lags of the task and away from them, by each kind of transport."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.style import Style, Tables, conclude, heading, legend, note

MOST_DECADES = 15
"""Sample complexities beyond it are out of sight."""
TASK = Line2D([], [], color="k", linestyle="", marker="o", markersize=4, label="lag of the task")
OTHER_LAG = Line2D([], [], color="k", linestyle="-", marker=".", markersize=2, linewidth=0.7, label="other lag")
BEYOND = Line2D([], [], color="k", linestyle="", marker="^", markersize=2.5, label="beyond 1e15")
SEQUENCES = Line2D([], [], color="k", linestyle=":", linewidth=0.7, label="sequences measured")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `sample_complexities`, by the reading's criterion, medians over seeds; filled: task lags."""
    by_criterion = tables["sample_complexities"][tables["sample_complexities"]["chosen"]]
    figure, axes = style.panels(2 * len(style.architectures), len(style.architectures), sharex=True, sharey=True)
    medians = by_criterion.groupby(["transport", "architecture", "lag"])["log_sample_complexity"].median() / np.log(10)
    top = min(1.05 * max(5, medians[np.isfinite(medians)].max()), MOST_DECADES)
    axes[0].set_ylim(0, top)
    for column, transport in enumerate(("first_order", "exact")):
        for name, ax in zip(style.architectures, axes.reshape(2, -1)[column], strict=True):
            rows = by_criterion[(by_criterion["transport"] == transport) & (by_criterion["architecture"] == name)]
            by_lag = rows.groupby("lag")
            median, on_task = by_lag["log_sample_complexity"].median(), by_lag["task_lag"].first()
            y = median.where(np.isfinite(median)) / np.log(10)
            colour, words = style.colours[name], transport.replace("_", " ")
            ax.plot(y.index, y, ".-", color=colour, linewidth=0.7, markersize=2)
            ax.plot(y.index[on_task], y[on_task], "o", color=colour, markersize=4)
            ax.axhline(np.log10(rows["sequences"].max()), color="k", linestyle=":", linewidth=0.7)
            ax.set(xlabel="lag ℓ (steps)", ylabel="log₁₀ N̂(ℓ)", xlim=(0, 1.03 * by_criterion["lag"].max()))
            beyond = y.index[y > MOST_DECADES]
            if len(beyond):
                ax.plot(beyond, np.full(len(beyond), MOST_DECADES), "^", color=colour, markersize=2.5, clip_on=False)
            heading(ax, words if column else f"{style.labels[name]}, {words}")
            if y.isna().all():
                note(ax, "N̂ = ∞")
    conclude(figure, "Mostly a lag off the task requires fewer sequences than all lags of the task")
    legend(figure, TASK, OTHER_LAG, BEYOND, SEQUENCES)
    return figure
