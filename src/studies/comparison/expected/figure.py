"""Expectations with the numbers that they need, and the numbers that were measured."""

from textwrap import fill

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.style import GREY, Style, Tables, conclude, legend
from studies.comparison.expectations import CELLS

COLOURS = {"yes": "#029e73", "no": "#d55e00"}
LINE = 66
"""Characters of a statement in a line."""
KEYS = {"yes": ("o", "measured: came true"), "no": ("X", "measured: did not")}


def draw(tables: Tables, style: Style) -> Figure:
    """A row for each statement that could be measured, from `expectations`; numbers of cells are in words."""
    table = tables["expectations"]
    table = table[table["verdict"] != "not measured"].reset_index(drop=True)
    figure, (ax,) = style.panels(1, height_mm=12 + 9 * len(table))
    for place, row in table.iterrows():
        colour, (marker, _) = COLOURS[row["verdict"]], KEYS[row["verdict"]]
        if row["quantity"] == CELLS:  # of another scale
            text = f"{CELLS}: {row['measured']:.0f}, needed: {row['needed']:.0f}"
            ax.text(0.02, place, text, va="center", color=colour)
            continue
        ax.hlines(place, row["needed"], row["measured"], color=colour, linewidth=0.9)
        ax.plot(row["needed"], place, "|", color="k", markersize=9)
        ax.plot(row["measured"], place, marker, color=colour, markersize=4)
        ax.annotate(
            f"{row['measured']:.2f}", (1.02, place), xycoords=ax.get_yaxis_transform(), va="center", color=colour
        )
    ax.axvline(0, color=GREY, linewidth=0.7, linestyle="--", zorder=0)
    ax.set_yticks(range(len(table)), [fill(text.rstrip("."), LINE) for text in table["statement"]])
    ax.set(ylim=(len(table) - 0.5, -0.5), xlabel="the number that decides: Spearman's ρ, or a difference of scores")
    conclude(figure, "More expectations failed than came true")
    threshold = Line2D([], [], color="k", marker="|", markersize=7, linestyle="", label="needed")
    dots = [
        Line2D([], [], color=COLOURS[verdict], marker=marker, markersize=4, linestyle="", label=text)
        for verdict, (marker, text) in KEYS.items()
    ]
    legend(figure, threshold, *dots)
    return figure
