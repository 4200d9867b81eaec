"""Time constants of first-order envelopes by architecture and optimiser, beside those that the paper prints."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import plain_log
from learnability.report.style import GREY, PUBLISHED, Style, Tables, conclude, legend
from studies.learnability_window.paper import OPTIMIZERS, TIME_CONSTANTS

MARKS = {"adamw": "o", "sgd": "s", "sgd_momentum": "^"}
STEP = 0.22
"""Distance between the rows of optimisers of an architecture."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `fits`: a row for each architecture, a mark and a range of seeds for each optimiser."""
    fits = tables["fits"]
    fits = fits[(fits["model"] == "exponential") & fits["optimizer"].isin(MARKS)]
    names, base = _by_cell(style)
    figure, (ax,) = style.panels(1, height_mm=14 + 6 * len(style.architectures))
    for place, architecture in enumerate(names):
        colour, is_ordinary = style.colours[base[architecture]], base[architecture] == architecture
        for row, (optimizer, mark) in enumerate(MARKS.items()):
            constants = fits[(fits["architecture"] == architecture) & (fits["optimizer"] == optimizer)]["parameter"]
            at = place + STEP * (row - 1)
            published = TIME_CONSTANTS.get(optimizer, {}).get(style.roles.get(architecture, ""))
            if published and is_ordinary and len(constants):
                ax.plot([published] * 2, [at - STEP / 2, at + STEP / 2], color=GREY, linewidth=2, zorder=1)
            if len(constants):
                ax.plot([constants.min(), constants.max()], [at, at], color=colour, linewidth=0.8)
                ax.plot(constants.mean(), at, mark, color=colour, markersize=4)
    plain_log(ax, "x")
    ax.set_yticks(range(len(style.architectures)), [style.labels[name] for name in names])
    ax.invert_yaxis()
    ax.set(xlabel="time constant τ of the envelope (steps)", ylabel="architecture")
    conclude(figure, "Slow starts lengthen the time constants of first-order envelopes")
    marks = [Line2D([], [], color="k", linestyle="", marker=MARKS[name], label=OPTIMIZERS[name]) for name in MARKS]
    legend(figure, *marks, Line2D([], [], color="k", linewidth=0.8, label="smallest to largest seed"), PUBLISHED)
    return figure


def _by_cell(style: Style) -> tuple[list[str], dict[str, str]]:
    """Architectures cell by cell, and for each the first of its cell; a label begins with the cell."""
    first: dict[str, str] = {}
    base = {name: first.setdefault(style.labels[name].partition(",")[0], name) for name in style.architectures}
    return sorted(style.architectures, key=lambda name: list(style.architectures).index(base[name])), base
