"""Maps of attention, a panel for each network."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from learnability.report.style import Style, heading, headline, note
from studies.attention.trained_tables import in_words


def draw_maps(rows: pd.DataFrame, style: Style, what: str, told: Callable[[np.ndarray], float]) -> Figure:
    """A map of each network in some rows of `attention`, of the first seed.

    Args:
        what: a number is told of each.
        told: it, of weights (step, attended).
    """
    first = rows[rows["seed"] == rows["seed"].min()]
    first = first.astype({"step": int, "attended": int, "weight": float})  # may be of empty ones alone
    maps = [
        (f"{style.labels[name]}, {in_words(str(experiment))}", own)
        for name in style.present(first)
        for experiment, own in first[first["architecture"] == name].groupby("experiment", sort=False)
    ]
    figure, axes = style.panels(max(1, -(-len(maps) // 2)), 2, height_mm=42)
    numbers = {}
    for ax, (title, own) in zip(axes, maps, strict=False):
        steps = int(own["step"].max())
        weights = np.zeros((steps, steps))
        weights[own["step"] - 1, own["attended"] - 1] = own["weight"]
        picture = ax.imshow(weights, cmap="Greys", vmin=0, vmax=0.5, origin="upper", interpolation="nearest")
        heading(ax, title)
        ax.set(xlabel="step attended to", ylabel="step")
        numbers[title] = told(weights)
    for ax in axes[len(maps) :]:
        ax.set_axis_off()
        ax.set_title("", loc="left")
    if maps:
        figure.colorbar(picture, ax=list(axes), location="bottom", shrink=0.6, label="weight")
    else:
        note(axes[0], "No such network was trained.")
    said = "; ".join(f"{title}: {value:.2f}" for title, value in numbers.items())
    headline(figure, f"{what}: {said or 'no such network'}")
    return figure


def draw_sharing(rows: pd.DataFrame, style: Style) -> Figure:
    """Maps, and of each how many states share the attention of a step: (Σ_i α_i)²/Σ_i α_i², in the mean over steps."""

    def shared(weights: np.ndarray) -> float:
        some = weights[weights.any(1)]
        return (some.sum(1) ** 2 / (some**2).sum(1)).mean()

    return draw_maps(rows, style, "States that share the attention of a step", shared)
