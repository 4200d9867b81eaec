"""Theorem 1: the power of T with which ds_T/dh_t goes under uniform attention, over the eigenvalue of V."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle

from learnability.report.style import Style, Tables, heading, headline, legend
from studies.attention.theory.exponents import exponent

LOWEST, HIGHEST = -1.5, 0.5
"""Exponents that have a colour of their own, about -1 as the middle."""
POINTS = 241
TITLES = {"sum": "s = h + c", "mean": "s = (h + c)/2"}
BORDER = {"sum": ((0.5, 0.5), (0.75, 0.25)), "mean": ((1.0, 1.0),)}
"""Centre and radius of the disc where Ω(1/T) holds, and of that where the gradient grows."""
LINES: Sequence[Any] = ("-", "--")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `exponents` of `studies.attention.theory.uniform`."""
    table = tables["theory_exponents"]
    figure, axes = style.panels(len(TITLES), height_mm=90)
    norm = TwoSlopeNorm(-1, LOWEST, HIGHEST)
    for ax, mix in zip(axes, TITLES, strict=True):
        _disc(ax, table[table["mix"] == mix], mix, norm)
    scale = ScalarMappable(norm, "RdBu_r")
    figure.colorbar(
        scale, ax=list(axes), label="exponent of T", extend="both", shrink=0.8, ticks=[-1.5, -1.25, -1, -0.5, 0, 0.5]
    )
    headline(figure, "The paper's bound of 1/T fails outside the solid circle")
    legend(
        figure,
        Line2D([], [], color="k", linestyle=LINES[0], linewidth=0.9, label="T⁻¹: Theorem 1 holds inside"),
        Line2D([], [], color="k", linestyle=LINES[1], linewidth=0.9, label="T⁰: gradients grow inside"),
        Line2D([], [], color="w", marker="o", markeredgecolor="k", markersize=4, label="measured"),
    )
    return figure


def _disc(ax: Axes, table: pd.DataFrame, mix: str, norm: TwoSlopeNorm) -> None:
    """The formula as ground, measured exponents as points, mirrored to the lower half."""
    line = np.linspace(-1, 1, POINTS)
    plane = line[None, :] + 1j * line[:, None]
    inside = np.abs(plane) < 1
    ground = np.where(inside, exponent(np.where(inside, plane, 0), mix), np.nan)
    ax.pcolormesh(line, line, ground, cmap="RdBu_r", norm=norm, rasterized=True)
    for sign in (1, -1):
        look: dict[str, Any] = {
            "c": table["fitted"],
            "cmap": "RdBu_r",
            "norm": norm,
            "edgecolors": "k",
            "linewidths": 0.4,
        }
        ax.scatter(table["real"], sign * table["imaginary"], s=12, clip_on=False, **look)
    edge = Circle((0, 0), 1, fill=False, linewidth=0.6, color="0.4")
    ax.add_patch(edge)
    for (centre, radius), stroke in zip(BORDER[mix], LINES, strict=False):
        circle = ax.add_patch(Circle((centre, 0), radius, fill=False, linewidth=0.9, linestyle=stroke))
        circle.set_clip_path(edge)
    ax.set(
        xlabel="real part of λ", ylabel="imaginary part of λ", aspect="equal", xlim=(-1.05, 1.05), ylim=(-1.05, 1.05)
    )
    heading(ax, TITLES[mix])
