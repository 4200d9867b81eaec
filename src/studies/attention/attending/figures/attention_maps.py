"""To how many states networks attend, and to which on copy and on denoise: Fig. 1 of Kerg et al. 2020."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from learnability.report.panels import name_rows
from learnability.report.style import Style, Tables, conclude, heading, legend, note
from studies.attention.attending.recalls import is_learned
from studies.attention.drawn.maps import draw_map, maps_of
from studies.attention.trained_tables import BUFFER_ALONE, BY, NAME, at_first_delay, best_founded

ELSEWHERE = ("mem_lstm", "rel_lstm", "sab", BUFFER_ALONE)
"""Networks without a map: the paper shows full attention, screening stands beside it, and whatever is added."""
MAPS_IN_A_ROW = 2
SPREAD = 0.6
"""Height that the experiments of a network take, of its row."""
NOT_LEARNED = Line2D(
    [], [], color="k", linestyle="", marker="o", markersize=4, markerfacecolor="w", label="has not learned the task"
)
RANGE = Line2D([], [], color="k", linewidth=0.8, label="smallest to largest seed")
BLACK = Patch(color="k", label="weight of ½ or more")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `attention`, `attended` and `learning_speed` of `studies.attention.trained_tables`.

    At the left of each row of maps, of the first seed and delay, are numbers of states, on copying or on other tasks.
    """
    networks = tables["attended"].dropna(subset="measured")
    networks = networks.assign(learned=is_learned(networks, tables["learning_speed"]))
    is_copying = networks["experiment"].astype(str).str.fullmatch(NAME).astype(bool)
    counts = [
        (title, part, ends)
        for title, part, ends in (
            ("copy and denoise", networks[is_copying], ["max"]),
            ("pixels and characters", networks[~is_copying], ["min", "max"]),
        )
        if len(part)
    ]
    weights = at_first_delay(best_founded(tables["attention"]), "", BY)
    maps = list(maps_of(weights[~weights["architecture"].isin(ELSEWHERE)], style))
    figure, axes = style.panels(max(1, len(counts) + len(maps)), 1 + MAPS_IN_A_ROW, height_mm=56)
    free_axes, free_maps = iter(axes), iter(maps)
    for title, part, ends in counts:
        ax = next(free_axes)
        _draw_counts(ax, part, style, ends)
        ax.set_xlim(0, 1.25 * networks["high"].max())
        heading(ax, title)
        _draw_maps(free_axes, islice(free_maps, MAPS_IN_A_ROW))
    _draw_maps(free_axes, free_maps)
    if not counts and not maps:
        note(axes[0], "No such network was trained.")
    conclude(figure, "Trained networks attend to few of all past states")
    legend(figure, *([NOT_LEARNED, RANGE] if counts else []), *([BLACK] if maps else []))
    return figure


def _draw_maps(axes: Iterator[Axes], maps: Iterable[tuple[str, str, pd.DataFrame]]) -> None:
    """Draw maps, each in the next panel."""
    for title, _, part in maps:
        ax = next(axes)
        draw_map(ax, part, "auto")
        heading(ax, title)


def _draw_counts(ax: Axes, rows: pd.DataFrame, style: Style, ends: Sequence[str]) -> None:
    """A row for each network, and in it a mark for each experiment, the first on top.

    Args:
        ends: of the networks that have learned, which marks have their number beside them.
    """
    names, end_values = style.present(rows), rows.loc[rows["learned"], "measured"].agg(list(ends)).to_numpy()
    for place, name in enumerate(names):
        part = rows[rows["architecture"] == name]
        heights = place + (np.linspace(-SPREAD / 2, SPREAD / 2, len(part)) if len(part) > 1 else np.zeros(len(part)))
        colour = style.colours[name]
        ax.hlines(heights, part["low"], part["high"], color=colour, linewidth=0.8)
        for height, row in zip(heights, part.to_dict("records"), strict=True):
            face = colour if row["learned"] else "w"
            ax.plot(row["measured"], height, "o", color=colour, markersize=4, markerfacecolor=face)
            if row["learned"] and row["measured"] in end_values:
                beside, words = (row["high"], height), f"{row['measured']:.1f}"
                ax.annotate(words, beside, (4, 0), textcoords="offset points", va="center")
    name_rows(ax, names, style)
    ax.set(xlabel="states attended to", ylabel="network")
