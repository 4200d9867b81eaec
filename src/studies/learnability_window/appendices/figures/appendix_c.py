"""Appendix C: width of means of N draws, with the measured slope beside the one that the tail index predicts."""

from textwrap import fill
from typing import Any

from matplotlib.figure import Figure

from learnability.report.panels import plain_log
from learnability.report.style import Style, Tables, heading, headline
from studies.learnability_window.appendices.figures.theory_panels import by_name, by_tail_index

KINDS = ("stable laws: slope (predicted)", "other laws: slope (by the tail)")
ROOM, LONGEST = 3000, 15
"""Factor beyond the largest N that the names of laws take, on a logarithmic axis, and characters of a line of them."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `widths` of `studies.learnability_window.theory.concentration`."""
    figure, axes = style.larger().panels(2, height_mm=84)
    stable = tables["widths"]["law"].str.startswith("stable")
    panel_laws = [
        [(rows["law"].iloc[0], rows, colour) for _, rows, colour in by_tail_index(tables["widths"][stable])],
        by_name(tables["widths"][~stable], "law"),
    ]
    for ax, laws in zip(axes, panel_laws, strict=True):
        for law, rows, colour in laws:
            first = rows.iloc[0]
            ax.plot(rows["sample_size"], rows["width"], "o", markersize=4, color=colour)
            last, name = rows.iloc[-1], law.removeprefix("stable, ").partition(",")[0]
            text = f"{name}: {first['slope']:.2f} ({first['predicted']:.2f})"
            label = fill(text, LONGEST if ax is axes[1] else len(text))
            place: dict[str, Any] = {"xytext": (6, 0), "textcoords": "offset points", "va": "center"}
            ax.annotate(label, (last["sample_size"], last["width"]), **place).set_in_layout(False)
            for column, line in (("predicted", "-"), ("by_estimate", ":")):
                if line == "-" or ax is axes[1]:
                    law_of_width = first["width"] * rows["sample_size"] ** first[column]
                    ax.plot(rows["sample_size"], law_of_width, line, color=colour, linewidth=1.2)
        plain_log(ax, "x")
        plain_log(ax, "y")
        largest = tables["widths"]["sample_size"].max()
        ax.set_xlim(right=ROOM * largest)
        sizes = [size for size in (1, 10, 100, 1000, 10_000) if size <= largest]
        ax.set_xticks(sizes, [f"{size:,}" for size in sizes])
        ax.tick_params(axis="x", which="minor", bottom=False)
        ax.set(xlabel="draws N", ylabel="width of the mean")
        heading(ax, KINDS[ax is axes[1]])
    headline(figure, "The width of a mean shrinks as the tail index predicts")
    return figure
