"""Gradients that arrive at earlier steps of trained networks, and what they cost: Fig. 2 of Kerg et al. 2020."""

import numpy as np
from matplotlib.figure import Figure

from learnability.report.panels import plain_log
from learnability.report.style import BAND, Style, Tables, bunches, heading, headline, legend, note
from studies.attention.trained_tables import at_first_delay

TASK = "denoise"


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `arriving`, of `studies.attention.trained.measure_arriving`, and `backward_costs`."""
    arriving, costs = tables["arriving"], tables["backward_costs"]
    rows = at_first_delay(arriving).query("task == @TASK")
    trained = style.present(rows)
    panels = bunches(trained)
    figure, axes = style.panels(len(panels) + 1, height_mm=44)
    for ax, names in zip(axes, panels, strict=False):
        for name in names:
            of_steps = rows[rows["architecture"] == name].groupby("back")["log_norm"]
            middle = of_steps.median()
            ax.plot(middle, **style.line(name) | {"markevery": max(1, len(middle) // 8)})
            ax.fill_between(middle.index, of_steps.min(), of_steps.max(), color=style.colours[name], alpha=0.2, lw=0)
        heading(ax, "after training", ncols=2)
        ax.set(xlabel="steps before the last", ylabel="log₁₀ ‖∂L/∂hₜ‖")
    middles = rows.groupby(["architecture", "back"])["log_norm"].median()
    of_models = middles[np.isfinite(middles)].groupby("architecture")
    means = of_models.mean()
    steps = rows["back"].max() + 1
    kept = costs[costs["steps"] == steps].set_index("architecture")["kept_mib"]
    *_, last = axes
    priced = [name for name in trained if name in kept]
    for name in priced:
        last.plot(kept[name], means[name], **style.line(name) | {"linestyle": "", "markersize": 4})
    last.set(xlabel="kept for the gradient, MiB", ylabel="mean log₁₀ ‖∂L/∂hₜ‖")
    if priced:
        plain_log(last, "x")
        heading(last, f"mean over steps, beside memory at T + 20 = {steps}", ncols=3)
    else:
        note(last, f"No memory was measured at T + 20 = {steps}.")
    span = of_models.agg(np.ptp).rename(style.labels)
    headline(
        figure,
        f"After training on denoise norms span {span.max():.1f} decades in {span.idxmax()} and {span.min():.1f} in "
        f"{span.idxmin()}, medians over seeds",
    )
    legend(figure, BAND)
    return figure
