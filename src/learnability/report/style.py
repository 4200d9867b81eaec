"""How figures look, and how they are written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

from learnability.core.store import writing

Tables = Mapping[str, pd.DataFrame]

MM = 1 / 25.4


@dataclass(frozen=True)
class Style:
    """Size, type, and who is drawn how.

    Args:
        architectures: ids in drawing order.
        colours, labels: by architecture id.
        width_mm: of a figure, mm.
        font_size: of all text, pt.
    """

    architectures: Sequence[str]
    colours: Mapping[str, str]
    labels: Mapping[str, str]
    width_mm: float
    font_size: float

    def chosen(self, tables: Tables) -> dict[str, pd.DataFrame]:
        """The rows of these architectures; whole tables where there are no architectures."""
        return {
            name: table[table["architecture"].isin(self.architectures)] if "architecture" in table else table
            for name, table in tables.items()
        }

    def panels(self, rows: int, columns: int = 1, height_mm: float = 50) -> tuple[Figure, np.ndarray]:
        """A figure with `rows` × `columns` axes, rows `height_mm` high; axes as a flat array, lettered if several."""
        mpl.rcParams.update(self._settings())  # type: ignore[arg-type]
        size = (self.width_mm * MM, rows * height_mm * MM)
        figure = Figure(figsize=size, layout="constrained")
        axes = figure.subplots(rows, columns, squeeze=False).ravel()
        if len(axes) > 1:
            for letter, ax in zip("abcdefghi", axes, strict=False):
                ax.set_title(f"({letter})", loc="left", fontsize=self.font_size)
        return figure, axes

    def _settings(self) -> dict[str, Any]:
        sizes = (
            "font.size",
            "axes.labelsize",
            "axes.titlesize",
            "xtick.labelsize",
            "ytick.labelsize",
            "legend.fontsize",
        )
        return dict.fromkeys(sizes, self.font_size) | {
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.linewidth": 0.6,
            "lines.linewidth": 1.2,
            "legend.frameon": False,
            "pdf.fonttype": 42,
            "savefig.dpi": 300,
        }


def note(ax: Axes, text: str) -> None:
    """Write in the middle of an empty panel why it is empty."""
    ax.text(0.5, 0.5, text, ha="center", va="center", transform=ax.transAxes)


def write_figure(figure: Figure, *paths: str | Path) -> None:
    """Write a figure in the format of each path's ending, without dates, so that equal figures are equal bytes."""
    dateless = {"pdf": {"CreationDate": None}, "png": {"Software": None}}
    for path in map(Path, paths):
        kind = path.suffix[1:]
        with writing(path) as temporary:
            figure.savefig(temporary, format=kind, metadata=dateless[kind])
            if kind == "png":
                _reduce_colours(temporary)


def _reduce_colours(path: Path) -> None:
    """256 colours look as all do, and take a third of the room."""
    with Image.open(path) as picture:
        reduced = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
        reduced.save(path, format="png", optimize=True, dpi=picture.info["dpi"])
