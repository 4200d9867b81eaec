"""Maps of attention, a panel for each network."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from learnability.report.style import Style, heading, headline, note
from studies.attention.trained_tables import in_words


def draw_maps(rows: pd.DataFrame, style: Style, recalls: Mapping[str, str] | None = None, columns: int = 0) -> Figure:
    """A map of each network in some rows of `attention`, of the first seed.

    Args:
        recalls: what is recalled, in words that stand under the title, by the experiment.
        columns: maps in a row at most, which then fill their panels; 0 for as few rows as may be, and square maps.
    """
    below = recalls or {}
    first = rows[rows["seed"] == rows["seed"].min()]
    first = first.astype({"step": int, "attended": int, "weight": float})  # may be of empty ones alone
    maps = {
        "\n".join(filter(None, [_title(style.labels[name], str(experiment)), below.get(str(experiment))])): part
        for name in style.present(first)
        for experiment, part in first[first["architecture"] == name].groupby("experiment", sort=False)
    }
    count = max(1, len(maps))
    figure, axes = style.panels(count, min(count, columns), height_mm=56)
    for ax, (title, part) in zip(axes, maps.items(), strict=False):
        steps = int(part["step"].max())
        weights = np.zeros((steps, steps))
        weights[part["step"] - 1, part["attended"] - 1] = part["weight"]
        look: Any = {"origin": "upper", "interpolation": "nearest", "aspect": "auto" if columns else "equal"}
        picture = ax.imshow(weights, cmap="Greys", vmin=0, vmax=0.5, **look)
        heading(ax, title)
        ax.set(xlabel="step attended to", ylabel="step")
    if maps:
        figure.colorbar(picture, ax=list(axes), location="right", label="weight")
    else:
        note(axes[0], "No such network was trained.")
    headline(figure, "States that networks attend to, step by step")
    return figure


def _title(name: str, experiment: str) -> str:
    """Network and experiment; no line breaks within T = 100."""
    return f"{name}, {in_words(experiment)}".replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
