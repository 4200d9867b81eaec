"""Maps of attention, a panel for each network."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from learnability.report.findings import number
from learnability.report.style import Style, heading, headline, note
from studies.attention.trained_tables import in_words


def draw_maps(rows: pd.DataFrame, attended: pd.DataFrame, style: Style) -> Figure:
    """A map of each network in some rows of `attention`, of the first seed.

    Args:
        attended: to how many states each attends, of `studies.attention.trained_tables.tabulate`.
    """
    first = rows[rows["seed"] == rows["seed"].min()]
    first = first.astype({"step": int, "attended": int, "weight": float})  # may be of empty ones alone
    states = attended.set_index(["architecture", "experiment"])["measured"]
    maps = {
        f"{style.labels[name]}, {in_words(str(experiment))}": (own, states[name, experiment])
        for name in style.present(first)
        for experiment, own in first[first["architecture"] == name].groupby("experiment", sort=False)
    }
    figure, axes = style.panels(max(1, -(-len(maps) // 2)), 2, height_mm=42)
    for ax, (title, (own, _)) in zip(axes, maps.items(), strict=False):
        steps = int(own["step"].max())
        weights = np.zeros((steps, steps))
        weights[own["step"] - 1, own["attended"] - 1] = own["weight"]
        picture = ax.imshow(weights, cmap="Greys", vmin=0, vmax=0.5, origin="upper", interpolation="nearest")
        heading(ax, title)
        ax.set(xlabel="step attended to", ylabel="step")
    for ax in axes[len(maps) :]:
        ax.set_axis_off()
        ax.set_title("", loc="left")
    if maps:
        figure.colorbar(picture, ax=list(axes), location="bottom", shrink=0.6, label="weight")
    else:
        note(axes[0], "No such network was trained.")
    said = "; ".join(f"{title}: {number(value)}" for title, (_, value) in maps.items())
    headline(figure, f"States attended to at the median step, medians over seeds: {said or 'no such network'}")
    return figure
