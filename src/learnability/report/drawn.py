"""What the panels of a figure show, for a legend that has nothing else."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb, to_rgba_array
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.typing import ColorType

FLAT = 1e-9
"""Area of a band, relative to its width times its height, below which it is a line."""


def has_colour(figure: Figure, colour: ColorType) -> bool:
    """True if a line with a finite point, a filled shape, a word or a tick label has the colour, or it is a grey.

    Black, white and greys stand for all colours in a legend.
    """
    rgb = np.array(to_rgb(colour))
    return bool(np.ptp(rgb) == 0) or any(
        np.isclose(shade, rgb, atol=1e-3).all() for ax in figure.axes for shade in _colours(ax)
    )


def has_band(figure: Figure) -> bool:
    """True if a panel has an area between two curves that differ."""
    return any(
        _is_wide(path.vertices)  # type: ignore[arg-type]
        for ax in figure.axes
        for band in ax.collections
        if isinstance(band, PolyCollection)
        for path in band.get_paths()
    )


def _colours(ax: Axes) -> Iterator[Float[np.ndarray, "3"]]:
    lines = [line for line in ax.lines if _is_visible(line)]
    colours = [colour for line in lines for colour in (line.get_color(), line.get_markerfacecolor())]
    shapes: list[Any] = [*ax.collections, *ax.patches]
    colours += [colour for shape in shapes for colour in (shape.get_facecolor(), shape.get_edgecolor())]
    colours += [text.get_color() for text in (*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels())]
    for colour in colours:
        yield from to_rgba_array(colour)[:, :3]


def _is_visible(line: Line2D) -> bool:
    points: Float[np.ndarray, "point 2"] = np.ma.filled(np.ma.asarray(line.get_xydata(), float), np.nan)
    return bool(np.isfinite(points).all(1).any())


def _is_wide(corners: Float[np.ndarray, "corner 2"]) -> bool:
    """True if a polygon has an area."""
    x, y = corners[np.isfinite(corners).all(1)].T
    if len(x) == 0:
        return False
    area = abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) / 2
    return bool(area > FLAT * np.ptp(x) * np.ptp(y))
