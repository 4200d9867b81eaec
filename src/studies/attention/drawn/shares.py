"""Symbols that networks recall against the delay, beside a table of the paper."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.transforms import ScaledTranslation, Transform

from learnability.report.findings import percent
from learnability.report.panels import heights_apart, label_point
from learnability.report.style import GREY, Style, Tables, conclude, heading, legend
from studies.attention.drawn.families import by_kind
from studies.attention.drawn.recipes import AS_PRINTED, BY_CODE, face
from studies.attention.trained_tables import HALF

Aside = tuple[float, float]
"""Points to the right and above."""
RANGE = Line2D([], [], color="k", linewidth=1.5, label="smallest to largest seed")
DIVERGENCE = Line2D([], [], color="k", linestyle="", marker="x", markersize=5, label="training diverged with some seed")
PUBLISHED = Line2D([], [], color=GREY, linewidth=0.8, marker=".", markersize=3, label="published")
CHANCE = Line2D([], [], color="k", linewidth=0.5, linestyle=":", label="chance level")
APART = 5.5
"""Points between marks of two networks at the same delay."""
CROSS: dict[str, Any] = {"linestyle": "", "marker": "x", "markersize": 3.8, "color": "k", "markeredgewidth": 0.9}
"""Cross beside the mark of a network that diverged with some seed."""
DIVERGED = Line2D([], [], **CROSS, label="diverged with some seed")
BESIDE = 5.5
"""Points from a mark, or the end of its range, to the cross beside it."""
LINE = 0.13
"""Height of a name at the right edge, as a share of a panel."""
BOTTOM, TOP = -0.06, 1.13
"""Ends of the axis of shares, with room for marks at 0 and for crosses above marks at 1."""


def moved(ax: Axes, right: float, up: float = 0, places: Transform | None = None) -> Transform:
    """Places in a panel, of its data unless others are given, moved by some points."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    return (places or ax.transData) + ScaledTranslation(right / 72, up / 72, figure.dpi_scale_trans)


def draw_shares(
    tables: Tables, style: Style, name: str, message: str, told: Mapping[str, tuple[int, Aside]] | None = None
) -> Figure:
    """Draw from a table of `studies.attention.trained_tables.tabulate` that has shares by delay, a panel for each kind.

    Marks at the same delay stand side by side. A network has its name where its published line ends, or its last mark.

    Args:
        name: of the table.
        message: what the figure says, its headline.
        told: delay at which the share of a network is written beside its mark, and where, by architecture.
    """
    table, style = tables[name], style.larger()
    kinds = by_kind(style.present(table))
    figure, axes = style.panels(len(kinds), min(2, len(kinds)), height_mm=54, sharex=True, sharey=True)
    delays = sorted(table["delay"].unique())
    room = (delays[-1] / delays[0]) ** 0.09  # for marks that stand aside
    for ax, (kind, names) in zip(axes, kinds.items(), strict=True):
        for place, architecture in enumerate(names):
            rows = table[table["architecture"] == architecture]
            ax.plot(rows["delay"], rows["paper"], color=GREY, linewidth=0.8, marker=".", markersize=3, zorder=1)
            _marks(ax, rows.dropna(subset="measured"), style, APART * (place - (len(names) - 1) / 2))
            if architecture in (told or {}):
                _tell(ax, rows, style, APART * (place - (len(names) - 1) / 2), *(told or {})[architecture])
        for chance in table.loc[table["measured"].notna(), "chance"].unique():
            ax.axhline(chance, color="k", linewidth=0.5, linestyle=":", zorder=0)
        _label_ends(ax, table, names, style)
        heading(ax, kind)
        ax.set(xlabel="delay T, steps", ylabel="share recalled", xscale="log", ylim=(BOTTOM, TOP))
        ax.set(xlim=(delays[0] / room, delays[-1] * room), yticks=np.linspace(0, 1, 6))
        ax.set_xticks(delays, [f"{delay}" for delay in delays])
        ax.minorticks_off()
        ax.tick_params(axis="x", labelsize=0.88 * style.font_size)  # 200 and 300 are near each other
    conclude(figure, message)
    crosses = [DIVERGED] if (table["diverged"] > 0).any() else []
    legend(figure, BY_CODE, AS_PRINTED, RANGE, *crosses, PUBLISHED, CHANCE)
    return figure


def _marks(ax: Axes, rows: pd.DataFrame, style: Style, aside: float) -> None:
    """Marks of a network, some points aside from its delays; a line joins its conclusive marks of the same recipe."""
    place = moved(ax, aside)
    for (recipe, conclusive), part in rows.groupby(["recipe", "conclusive"], sort=False):
        line = style.line(part["architecture"].iloc[0])
        look: dict[str, Any] = {"linestyle": "-" if conclusive else "", "markersize": 5, "label": "_", "zorder": 3}
        look["markerfacecolor"] = face(str(recipe), line["color"])
        ax.plot(part["delay"], part["measured"], **line | look, transform=place)
        ax.vlines(part["delay"], part["low"], part["high"], color=line["color"], zorder=2, transform=place)
    diverged = rows[rows["diverged"] > 0]
    ax.plot(diverged["delay"], diverged["high"], **CROSS, zorder=4, transform=moved(ax, aside, BESIDE))


def _tell(ax: Axes, rows: pd.DataFrame, style: Style, across: float, delay: int, aside: Aside) -> None:
    """Write the share at a delay beside the mark."""
    for share in rows.loc[rows["delay"] == delay, "measured"].dropna():
        colour = style.colours[rows["architecture"].iloc[0]]
        label_point(ax, percent(share), (delay, share), (across + aside[0], aside[1]), color=colour)


def _label_ends(ax: Axes, table: pd.DataFrame, names: list[str], style: Style) -> None:
    """Mark and name of each network at the right edge, as near to its end as names do not overlap."""
    ends = {}
    for name in names:
        rows = table[table["architecture"] == name]
        shares = rows["paper"].dropna() if rows["paper"].notna().any() else rows["measured"].dropna()
        ends[name] = (shares.iloc[-1] - BOTTOM) / (TOP - BOTTOM) if len(shares) else HALF
    for name, height in heights_apart(ends, LINE).items():
        look: dict[str, Any] = {"color": style.colours[name], "transform": moved(ax, 6, 0, ax.transAxes)}
        ax.scatter(1, height, marker=style.line(name)["marker"], s=25, clip_on=False, **look)
        ax.annotate(
            style.labels[name],
            (1, height),
            (12, 0),
            "axes fraction",
            "offset points",
            va="center",
            color=style.colours[name],
        )
