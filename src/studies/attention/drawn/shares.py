"""Symbols that networks name against the delay, beside a table of the paper."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.style import GREY, GUESS, PAPER, Style, Tables, bunches, heading, headline, legend

RANGE = Line2D([], [], color="k", linewidth=1.5, label="smallest to largest seed")
DIVERGENCE = Line2D([], [], color="k", linestyle="", marker="x", markersize=5, label="training diverged with some seed")
OPEN = Line2D([], [], color="k", linestyle="", marker="o", markerfacecolor="w", label="as printed, not learned")


def draw_shares(tables: Tables, style: Style, name: str, message: str) -> Figure:
    """Draw from a table of `studies.attention.trained_tables.tabulate` that has shares by delay.

    Args:
        name: of the table.
        message: what the figure says, its headline.
    """
    table = tables[name]
    cells = table.dropna(subset="measured")
    panels = bunches(style.present(table))
    figure, axes = style.panels(len(panels), height_mm=62, sharex=True, sharey=True)
    delays = sorted(table["delay"].unique())
    for ax, names in zip(axes, panels, strict=True):
        for architecture in names:
            line = style.line(architecture)
            paper, ours = (rows[rows["architecture"] == architecture] for rows in (table, cells))
            ax.plot(paper["delay"], paper["paper"], **line | {"color": GREY, "label": "_"})
            ax.plot([], [], **line)
            for (_, conclusive), part in ours.groupby(["recipe", "conclusive"], sort=False):  # a line is of one recipe
                look = {} if conclusive else {"linestyle": "", "markerfacecolor": "w", "markersize": 4.5, "zorder": 3}
                ax.plot(part["delay"], part["measured"], **line | look | {"label": "_"})
            ax.vlines(ours["delay"], ours["low"], ours["high"], color=line["color"], linewidth=1.5)
            failures = ours[ours["diverged"] > 0]
            ax.plot(failures["delay"], failures["measured"], "x", color="k", markersize=5, zorder=3)
        for chance in cells["chance"].unique():
            ax.axhline(chance, color="k", linewidth=0.5, linestyle=":")
        heading(ax, "", ncols=2)
        ax.set(xlabel="delay T, steps", ylabel="share of symbols named", xscale="log", ylim=(-0.03, 1.03))
        ax.set_xticks(delays, [f"{delay}" for delay in delays])
        ax.minorticks_off()
    headline(figure, message)
    legend(figure, RANGE, DIVERGENCE, OPEN, GUESS, PAPER)
    return figure
