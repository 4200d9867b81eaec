"""Gradients that arrive at earlier steps of trained networks, and what they cost: Fig. 2 of Kerg et al. 2020."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from learnability.report.panels import plain_log
from learnability.report.style import BAND, Style, Tables, bunches, heading, headline, legend, note
from studies.attention.trained_tables import of_copying

TASK = "denoise"


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `arriving`, of `studies.attention.trained.measure_arriving`, and `backward_costs`."""
    costs = tables["backward_costs"].set_index(["architecture", "steps"])["kept_mib"]
    rows = of_copying(tables["arriving"]).query("task == @TASK")
    panels = [(delay, names) for delay, own in rows.groupby("at_delay") for names in bunches(style.present(own))]
    figure, axes = style.panels(len(panels) + 1, height_mm=44)
    for ax, (delay, names) in zip(axes, panels, strict=False):
        for name in names:
            chosen = rows[(rows["architecture"] == name) & (rows["at_delay"] == delay)]
            of_steps = chosen.groupby("back")["log_norm"]
            middle = of_steps.median()
            ax.plot(middle, **style.line(name) | {"markevery": max(1, len(middle) // 8)})
            ax.fill_between(middle.index, of_steps.min(), of_steps.max(), color=style.colours[name], alpha=0.2, lw=0)
        heading(ax, f"after training at T = {delay}", ncols=2)
        ax.set(xlabel="steps before the last", ylabel="log₁₀ ‖∂L/∂hₜ‖")
    middles = rows.groupby(["architecture", "at_delay", "back"])["log_norm"].median()
    of_models = middles[np.isfinite(middles)].groupby(["architecture", "at_delay"])
    means = of_models.mean().reset_index()
    steps = rows.groupby("at_delay")["back"].max() + 1
    means["kept"] = costs.reindex(
        pd.MultiIndex.from_arrays([means["architecture"], means["at_delay"].map(steps)])
    ).array
    priced = means.dropna(subset="kept")
    *_, last = axes
    for name in style.present(priced):
        own = priced[priced["architecture"] == name]
        last.plot(own["kept"], own["log_norm"], **style.line(name) | {"markersize": 4})
    last.set(xlabel="kept for the gradient, MiB", ylabel="mean log₁₀ ‖∂L/∂hₜ‖")
    if len(priced):
        plain_log(last, "x")
        delays = " and ".join(f"{delay}" for delay in sorted(set(priced["at_delay"])))
        heading(last, f"mean over steps, beside memory, from left to right at T = {delays}", ncols=3)
    else:
        note(last, "At no delay of trained networks was memory measured.")
    first = of_models.agg(np.ptp).xs(rows["at_delay"].min(), level="at_delay").rename(style.labels)
    headline(
        figure,
        f"After training on denoise at T = {rows['at_delay'].min()} norms span {first.max():.1f} decades in "
        f"{first.idxmax()} and {first.min():.1f} in {first.idxmin()}, medians over seeds",
    )
    legend(figure, BAND)
    return figure
