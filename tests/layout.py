"""Places of words and lines in a drawn figure, and requirements of every figure."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex, to_rgb, to_rgba_array
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text
from matplotlib.transforms import Bbox
from PIL import Image

from learnability.report.style import BAND, MARKERS, MOST_CURVES, write_figure

MOST_PANELS = 6
"""More would be too small to read at half of a page's width."""
SPINE = 60
"""Length of an axis, in pixels, below which it is the frame of a legend or a colour bar."""
BLACK = 60
"""Brightest channel of a pixel of an axis."""
TICK = 15
"""Longer than any tick, in pixels."""


def assert_legible(figure: Figure, folder: Path) -> None:
    """Require a figure without warnings, without small, covered or cut-off words, and with a label at each axis."""
    figure.draw_without_rendering()
    texts = [text for text in figure.findobj(Text) if text.get_text().strip()]
    assert min(text.get_fontsize() for text in texts) >= 7
    assert overlaps(figure) == []
    assert cut_off(figure) == []
    assert absent_from_panels(figure) == [], absent_from_panels(figure)
    assert all(ax.get_xlabel() and ax.get_ylabel() for ax in figure.axes)
    write_figure(figure, folder / "figure.pdf")
    assert (folder / "figure.pdf").stat().st_size > 2000


def assert_complete(figure: Figure, folder: Path) -> None:
    """Legible, as wide as a page and lower than that, with a headline, something in each panel and not too much."""
    assert_legible(figure, folder)
    assert figure.get_figwidth() == pytest.approx(175 / 25.4)
    assert figure.get_figheight() <= figure.get_figwidth()
    assert figure.get_suptitle()
    assert [ax for ax in figure.axes if not shows_something(ax)] == []
    assert max(map(curves, figure.axes)) <= MOST_CURVES
    assert len(figure.axes) <= MOST_PANELS
    assert [ax for ax in figure.axes if covered(ax)] == []


def assert_landscape(figure: Figure, folder: Path) -> None:
    """Complete, and between 4:3 and 16:9."""
    assert_complete(figure, folder)
    assert 4 / 3 <= figure.get_figwidth() / figure.get_figheight() <= 16 / 9


def words(figure: Figure) -> list[tuple[str, Bbox]]:
    """Titles, axis labels and legends, and where they stand."""
    boxes = [("legend", legend.get_window_extent()) for legend in figure.findobj(Legend)]
    boxes += [(text.get_text(), text.get_window_extent()) for text in [figure._suptitle] if text]  # type: ignore[attr-defined]
    for ax in figure.axes:
        texts = [ax.title, ax._left_title, ax.xaxis.label, ax.yaxis.label]  # type: ignore[attr-defined]
        visible = [text for text in texts if text.get_text() and text.get_visible()]
        boxes += [(text.get_text(), text.get_window_extent()) for text in visible]
    return boxes


def overlaps(figure: Figure) -> list[tuple[str, str]]:
    """Words, or labels of one axis, that cover one another."""
    labels = [tick_labels(axis) for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)]
    return [
        (a, b)
        for group in (words(figure), *labels)
        for (a, box), (b, second) in combinations(group, 2)
        if box.overlaps(second)
    ]


def tick_labels(axis: Axis) -> list[tuple[str, Bbox]]:
    """Labels of the ticks in view, and where they stand."""
    low, high = sorted(axis.get_view_interval())
    ticks = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
    texts = [tick.label1 for tick in ticks if tick.label1.get_visible() and low <= tick.get_loc() <= high]
    return [(text.get_text(), text.get_window_extent()) for text in texts if text.get_text()]


def cut_off(figure: Figure) -> list[str]:
    """Words that leave the page."""
    page = figure.bbox
    return [word for word, box in words(figure) if box.x0 < page.x0 or box.x1 > page.x1 or box.y1 > page.y1]


def absent_from_panels(figure: Figure) -> list[str]:
    """Labels of legends for lines of a colour that no panel has, greys apart, or for bands where no panel has one."""
    keys = [
        (artist, text.get_text())
        for legend in figure.findobj(Legend)
        for artist, text in zip(legend.legend_handles, legend.get_texts(), strict=True)  # type: ignore[attr-defined]
    ]
    shades = {shade for ax in figure.axes for shade in shades_of(ax)}
    labels = [
        label
        for artist, label in keys
        if isinstance(artist, Line2D)
        and len(set(to_rgb(artist.get_color()))) > 1
        and to_hex(artist.get_color()) not in shades
    ]
    bands = [band for ax in figure.axes for band in ax.collections if isinstance(band, PolyCollection)]
    corners = [path.vertices for band in bands for path in band.get_paths() if len(path.vertices)]
    has_band = any(len(np.unique(points, axis=0)) > len(np.unique(points[:, 0])) for points in corners)  # type: ignore[index]
    return labels + [
        label for artist, label in keys if isinstance(artist, Patch) and label == BAND.get_label() and not has_band
    ]


def shades_of(ax: Axes) -> set[str]:
    """Colours of lines with points, filled shapes, words and tick labels of a panel."""
    lines = [line for line in ax.lines if np.isfinite(np.ma.getdata(line.get_xydata()).astype(float)).all(1).any()]
    colours = [colour for line in lines for colour in (line.get_color(), line.get_markerfacecolor())]
    shapes = [*ax.collections, *ax.patches]
    colours += [colour for shape in shapes for colour in (shape.get_facecolor(), shape.get_edgecolor())]
    colours += [text.get_color() for text in (*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels())]
    return {to_hex(shade) for colour in colours for shade in to_rgba_array(colour)}


def shows_something(ax: Axes) -> bool:
    """True if a finite point of a line, or a patch, lies within the axes, not on their edge."""
    low, high = ax.transAxes.transform([(0, 0), (1, 1)])
    points = [ax.transData.transform(np.ma.getdata(line.get_xydata())) for line in ax.lines if not is_reference(line)]
    inside = [(np.isfinite(curve) & (curve > low + 1e-6) & (curve < high - 1e-6)).all(1).any() for curve in points]
    return any(inside) or any(patch.get_extents().width > 1 for patch in ax.patches) or bool(ax.texts)


def is_reference(line: Line2D) -> bool:
    """True if a line runs from edge to edge, by axhline or axvline."""
    return line.get_transform() is not line.axes.transData  # type: ignore[union-attr]


def curves(ax: Axes) -> int:
    """Curves of architectures, which a marker tells apart."""
    return len({(line.get_color(), line.get_marker()) for line in ax.lines if line.get_marker() in tuple(MARKERS)})


def covered(ax: Axes) -> bool:
    """True if a legend stands upon the axes."""
    legend = ax.get_legend()
    return legend is not None and legend.get_window_extent().y0 < ax.get_window_extent().y1 - 1


def panels_in(path: Path) -> int:
    """Number of panels in a stored picture: corners where a black axis rises and another one leads to the right.

    A black curve that meets an axis may count as one more.
    """
    with Image.open(path) as picture:
        black = np.asarray(picture.convert("RGB")).max(2) < BLACK
    upward = _black_before(black.T).T
    rightward = _black_before(black[:, ::-1])[:, ::-1]
    starts = np.roll(~black, TICK, axis=1)  # no axis comes from the left, as it does where a line crosses it
    corners: list[np.ndarray] = []
    for corner in np.argwhere(upward & rightward & starts):
        if all(abs(corner - earlier).max() > SPINE / 2 for earlier in corners):  # an axis is some pixels thick
            corners.append(corner)
    return len(corners)


def _black_before(black: np.ndarray) -> np.ndarray:
    """True where a pixel, and as many before it in its row as an axis has at least, are black."""
    counts = np.cumsum(black, axis=1, dtype=np.int32)
    counts[:, SPINE:] -= counts[:, :-SPINE].copy()
    return counts == SPINE
