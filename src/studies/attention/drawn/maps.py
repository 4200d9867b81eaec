"""Maps of attention, a panel for each network."""

from collections.abc import Iterator, Mapping
from typing import Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from learnability.report.style import Style, heading, headline, note
from studies.attention.trained_tables import in_words

SHADES = Normalize(0, 0.5)
"""Weights from white to black."""


def draw_maps(rows: pd.DataFrame, style: Style, recalls: Mapping[str, str] | None = None) -> Figure:
    """A square map of each network in some rows of `attention`, of the first seed.

    Args:
        recalls: what is recalled, in words that stand under the title, by the experiment.
    """
    maps = {(title, (recalls or {}).get(experiment, "")): part for title, experiment, part in maps_of(rows, style)}
    columns = 2 if len(maps) == 4 else 0
    figure, axes = style.panels(max(1, len(maps)), columns, height_mm=56)
    for ax, (titles, part) in zip(axes, maps.items(), strict=False):
        draw_map(ax, part, "equal")
        heading(ax, "\n".join(filter(None, titles)))
    if maps:
        figure.colorbar(ScalarMappable(SHADES, "Greys"), ax=list(axes), location="right", label="weight")
    else:
        note(axes[0], "No such network was trained.")
    headline(figure, "States that networks attend to, step by step")
    return figure


def maps_of(rows: pd.DataFrame, style: Style) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Title, experiment and rows of each map, of the first seed in rows of `attention`, in drawing order."""
    first = rows[rows["seed"] == rows["seed"].min()]
    first = first.astype({"step": int, "attended": int, "weight": float})  # may be of empty ones alone
    for name in style.present(first):
        for experiment, part in first[first["architecture"] == name].groupby("experiment", sort=False):
            yield _title(style.labels[name], str(experiment)), str(experiment), part


def draw_map(ax: Axes, part: pd.DataFrame, aspect: Literal["equal", "auto"]) -> None:
    """Weights of one network, a row for each step."""
    steps = int(part["step"].max())
    weights = np.zeros((steps, steps))
    weights[part["step"] - 1, part["attended"] - 1] = part["weight"]
    ax.imshow(weights, cmap="Greys", norm=SHADES, origin="upper", interpolation="nearest", aspect=aspect)
    ax.set(xlabel="step attended to", ylabel="step")


def _title(name: str, experiment: str) -> str:
    """Network and experiment; no line breaks within T = 100."""
    return f"{name}, {in_words(experiment)}".replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
