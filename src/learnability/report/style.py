"""Look of figures, and writing them to files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from string import ascii_lowercase
from textwrap import fill
from typing import Any, Literal

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from learnability.core.store import writing
from learnability.report.drawn import has_band, has_colour
from learnability.report.typeset import in_figure

Tables = Mapping[str, pd.DataFrame]
AxisShare = bool | Literal["all", "row", "col"]

MM = 1 / 25.4
ROOM_MM = 18
"""Height of the headline and the legend of a figure."""
MOST_COLUMNS = 4
"""Largest number of columns of panels in a figure."""
FLATTEST = 0.75
"""Height over width that a figure has at most, unless rows would be lower than `LOWEST_MM`."""
LOWEST_MM = 28
"""Height of a row, so far as the figure stays lower than wide."""
MARKERS = "osD^v<>pdh8P*X"
DASHES: Sequence[Any] = ("-", (0, (4, 1.2)), (0, (4, 1, 1, 1)), (0, (1.2, 0.9)), (0, (7, 1.5)))
"""Line styles of architectures in the order of labels, in addition to colours; more of them than curves in a panel."""
MOST_CURVES = 4
"""Largest number of curves in a panel; more become small multiples."""
LARGER = 1.3
"""Factor of larger type."""
GREY = "0.6"
"""Colour of a paper's values."""
BAND = Patch(color="k", alpha=0.2, linewidth=0, label="smallest to largest seed")
INTERVAL = Line2D([], [], color="k", linewidth=0.5, label="95 % interval")
PUBLISHED = Line2D([], [], color=GREY, linewidth=2, label="published")
BEYOND = Patch(color="0.92", linewidth=0, label="N beyond the measured")


@dataclass(frozen=True)
class Style:
    """Size, type, and who is drawn how.

    Args:
        architectures: ids in drawing order.
        colours, labels: by architecture id; labels are texts without mathematics.
        width_mm: of a figure, mm.
        font_size: of all text, pt.
        roles: that an architecture takes in the paper, by its id.
        question: title of each figure in place of what it shows in the stored results, see `conclude`.
    """

    architectures: Sequence[str]
    colours: Mapping[str, str]
    labels: Mapping[str, str]
    width_mm: float
    font_size: float
    roles: Mapping[str, str] = field(default_factory=dict)
    question: str = ""

    def __post_init__(self) -> None:
        labels = {architecture: in_figure(label) for architecture, label in self.labels.items()}
        object.__setattr__(self, "labels", labels)

    def line(self, architecture: str) -> dict[str, Any]:
        """Colour, dash, marker and label of an architecture, the same in every figure."""
        place = list(self.labels).index(architecture)
        return {
            "color": self.colours[architecture],
            "linestyle": DASHES[place % len(DASHES)],
            "marker": MARKERS[place % len(MARKERS)],
            "markersize": 2.5,
            "label": self.labels[architecture],
        }

    def bunches(self) -> list[list[str]]:
        """The architectures by panel, see `bunches`."""
        return bunches(self.architectures)

    def present(self, table: pd.DataFrame) -> list[str]:
        """The architectures of which a table has rows."""
        return [name for name in self.architectures if name in set(table["architecture"])]

    def handles(self, table: pd.DataFrame | None = None) -> list[Artist]:
        """Entries of a legend: all architectures, or the ones in a table."""
        names = self.architectures if table is None else self.present(table)
        return [Line2D([], [], **self.line(architecture)) for architecture in names]

    def chosen(self, tables: Tables) -> dict[str, pd.DataFrame]:
        """The rows of these architectures; whole tables where there are no architectures."""
        return {
            name: table[table["architecture"].isin(self.architectures)] if "architecture" in table else table
            for name, table in tables.items()
        }

    def larger(self) -> "Style":
        """The style with larger type, for a figure with few marks, to be read at half its width."""
        return replace(self, font_size=LARGER * self.font_size)

    def panels(
        self,
        count: int,
        columns: int = 0,
        height_mm: float = 50,
        *,
        sharex: AxisShare = False,
        sharey: AxisShare = False,
    ) -> tuple[Figure, np.ndarray]:
        """A figure with `count` axes in a grid, row by row; axes as a flat array, lettered if there are several.

        The figure is a page's width, and lower than wide; there is room for a headline and a legend above the axes.

        Args:
            columns: of the grid; 0 for as few rows as `MOST_COLUMNS` allow.
            height_mm: height of a row; less where the figure would be higher than 3/4 of its width.
            sharex, sharey: which axes share their scale, as of `Figure.subplots`; these are labelled once.
        """
        mpl.rcParams.update(self._settings())  # type: ignore[arg-type]
        columns = columns or columns_of(count)
        rows = -(-count // columns)
        figure = Figure(figsize=(self.width_mm * MM, self._height_mm(rows, height_mm) * MM), layout="constrained")
        figure.set_label(self.question)
        grid = figure.subplots(rows, columns, squeeze=False, sharex=sharex, sharey=sharey).ravel()
        axes = grid[:count]
        for ax in grid[count:]:
            ax.remove()
        for place, ax in enumerate(axes):
            is_lowest = place + columns >= count
            ax.xaxis.label.set_visible(is_lowest or sharex in (False, "row"))
            ax.yaxis.label.set_visible(place % columns == 0 or sharey in (False, "col"))
            if is_lowest:
                ax.tick_params(axis="x", which="both", labelbottom=True)
        for letter, ax in zip(ascii_lowercase, axes if count > 1 else [], strict=False):
            ax.set_title(f"({letter})", loc="left", fontsize=self.font_size)
        return figure, axes

    def _height_mm(self, rows: int, height_mm: float) -> float:
        """Height of a figure, never more than its width."""
        most = max(FLATTEST * self.width_mm, rows * LOWEST_MM + ROOM_MM)
        return min(rows * height_mm + ROOM_MM, most, self.width_mm)

    def _settings(self) -> dict[str, Any]:
        sizes = (
            "font.size",
            "axes.labelsize",
            "axes.titlesize",
            "xtick.labelsize",
            "ytick.labelsize",
            "legend.fontsize",
            "legend.title_fontsize",
            "figure.titlesize",
        )
        return dict.fromkeys(sizes, self.font_size) | {
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.linewidth": 0.6,
            "lines.linewidth": 1.2,
            "legend.frameon": False,
            "savefig.dpi": 200,
        }


def bunches(names: Sequence[str]) -> list[list[str]]:
    """Curves in as few panels as may hold them, `MOST_CURVES` in each at most."""
    panels = -(-len(names) // MOST_CURVES)
    return [list(part) for part in np.array_split(np.asarray(names, object), panels)]


def columns_of(count: int) -> int:
    """Columns of a grid of panels that has as few rows as `MOST_COLUMNS` allow, as evenly filled as may be."""
    return -(-count // -(-count // MOST_COLUMNS))


def characters(width: float) -> int:
    """Number of characters that fit in a width in inches, on average."""
    return int(72 * width / (0.56 * float(mpl.rcParams["font.size"])))


def unbroken(text: str) -> str:
    """Text that is not broken into lines."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def headline(figure: Figure, text: str) -> None:
    """Write the message of a figure as a sentence above it."""
    width = characters(0.9 * figure.get_figwidth())
    top = 1 - 0.06 / figure.get_figheight()
    title = figure.suptitle(fill(text, width), x=0.01, y=top, va="top", ha="left", weight="bold")
    while width > 1 and title.get_window_extent().x1 > figure.bbox.x1:  # wide letters, as of 100 %
        width -= 1
        title.set_text(fill(text, width))
    _keep_below(figure, title)


def conclude(figure: Figure, text: str) -> None:
    """Write above a figure what the stored results show, or the question of its style, where other results may not."""
    headline(figure, str(figure.get_label()) or text)


def _keep_below(figure: Figure, artist: Artist) -> None:
    """Lay panels out below what is drawn above them."""
    artist.set_in_layout(False)
    bottom = artist.get_window_extent().y0 / figure.bbox.height
    _engine(figure).set(rect=(0, 0, 1, bottom - 0.04 / figure.get_figheight()))


def _engine(figure: Figure) -> ConstrainedLayoutEngine:
    engine = figure.get_layout_engine()
    assert isinstance(engine, ConstrainedLayoutEngine)
    return engine


def heading(ax: Axes, text: str, ncols: int = 0) -> None:
    """Write the name of a panel above it, after its letter; with `ncols`, over a legend of at most so many columns."""
    figure, grid = ax.get_figure(root=True), ax.get_gridspec()
    assert figure is not None and grid is not None
    margin = 0.55 if grid.ncols < 4 else 0.5  # panels of many columns have short labels
    room = figure.get_figwidth() / grid.ncols - margin
    text = fill(f"{ax.get_title(loc='left')} {text}".strip(), characters(room))
    ax.set_title("" if ncols else text, loc="left")
    tight: dict[str, Any] = {"borderpad": 0, "borderaxespad": 0.2, "columnspacing": 0.8, "handlelength": 1.4}
    for columns in range(ncols, 0, -1):
        key = ax.legend(title=text, loc="lower left", bbox_to_anchor=(0, 1), alignment="left", ncols=columns, **tight)
        if key.get_window_extent().width <= room * figure.dpi:
            break


def legend(figure: Figure, *handles: Artist) -> None:
    """Add a legend for all panels, between them and the headline, in as few lines as its width allows.

    A line of a colour that no panel has is left out, and so is `BAND` where no panel has a band.
    """
    handles = tuple(handle for handle in handles if _is_drawn(figure, handle))
    place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (0, 0, 1, _engine(figure).get()["rect"][3])}
    for rows in range(1, len(handles) + 1):
        columns = -(-len(handles) // rows)
        key = figure.legend(handles=handles, ncols=columns, columnspacing=1.2, handlelength=1.6, borderpad=0.2, **place)
        if columns == 1 or key.get_window_extent().width <= figure.bbox.width:
            _keep_below(figure, key)
            break
        key.remove()


def _is_drawn(figure: Figure, handle: Artist) -> bool:
    """True unless a legend would explain by this handle what no panel shows."""
    if handle is BAND:
        return has_band(figure)
    return not isinstance(handle, Line2D) or has_colour(figure, handle.get_color())


def note(ax: Axes, text: str) -> None:
    """Write in the middle of an empty panel why it is empty."""
    ax.text(0.5, 0.5, text, ha="center", va="center", transform=ax.transAxes)


SOURCES = "Tables"
"""Text of a PNG that names the tables it was drawn from, with their digests."""


def write_figure(figure: Figure, *paths: str | Path, sources: Mapping[str, str] | None = None) -> None:
    """Write a figure in the format of each path's ending, without dates, so that equal figures are equal bytes.

    Args:
        sources: digests of the tables that it is drawn from, by name, which a PNG keeps: a table that has another by
            now is newer than the figure.
    """
    dateless = {"pdf": {"CreationDate": None}, "png": {"Software": None}}
    _lay_out(figure)
    for path in map(Path, paths):
        kind = path.suffix[1:]
        packing: dict[str, Any] = {"pil_kwargs": {"compress_level": 0}} if kind == "png" else {}  # packed below
        with writing(path) as temporary:
            figure.savefig(temporary, format=kind, metadata=dateless[kind], **packing)
            if kind == "png":
                _reduce_colours(temporary, sources)


def read_sources(path: Path) -> dict[str, str]:
    """Digests of the tables that a PNG was drawn from, by name; none if it does not say."""
    with Image.open(path) as picture:
        return dict(line.split() for line in picture.info.get(SOURCES, "").splitlines())


def _lay_out(figure: Figure) -> None:
    """Lay panels out once for all formats, at the resolution of pictures.

    `savefig` would draw a figure that has a layout engine once more for each format, to nowhere.
    """
    engine = figure.get_layout_engine()
    if engine is None:
        return
    canvas, dpi = figure.canvas, figure.dpi
    FigureCanvasAgg(figure)
    if mpl.rcParams["savefig.dpi"] != "figure":
        figure.set_dpi(float(mpl.rcParams["savefig.dpi"]))
    engine.execute(figure)
    figure.set_layout_engine(None)
    figure.set_dpi(dpi)
    figure.set_canvas(canvas)


def _reduce_colours(path: Path, sources: Mapping[str, str] | None) -> None:
    """256 colours look as all do, and take a third of the room."""
    text = PngInfo()
    if sources:
        text.add_text(SOURCES, "\n".join(f"{name} {digest}" for name, digest in sorted(sources.items())), zip=True)
    with Image.open(path) as picture:
        result = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
        result.save(path, format="png", optimize=True, dpi=picture.info["dpi"], pnginfo=text)
