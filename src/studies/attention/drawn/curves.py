"""Learning curves of an experiment, beside the baseline without input."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import seed_band
from learnability.report.style import BAND, GREY, Style, Tables, bunches, conclude, heading, legend, note
from studies.attention.dense_tables import curve_of

GAP = 0.035
"""Way from one network's mark to the next, as a share of all epochs."""
BASELINE = Line2D([], [], color=GREY, linewidth=0.8, label="without input")
TESTED = Line2D([], [], color="k", linestyle="", marker="D", markersize=3, markerfacecolor="white", label="on the test")


def draw_curves(
    tables: Tables,
    style: Style,
    experiment: str,
    quantity: tuple[str, str],
    tested: tuple[str, str, str],
    baseline: str,
    message: str,
) -> Figure:
    """Draw from `curve`, learning curves with `experiment`, and the table of that name.

    Behind the last epoch stands what a network has on the test, with the range over seeds.

    Args:
        quantity: a column of `studies.attention.dense_tables.curve_of`, and its name on the axis.
        tested: columns of the table: the median on the test, the smallest and the largest seed.
        baseline: a column of the table.
        message: what the figure says, its headline.
    """
    curves, table = curve_of(tables, experiment), tables[experiment].dropna(subset="accuracy")
    column, label = quantity
    panels = bunches(style.present(curves)) if len(curves) else [[]]
    figure, axes = style.panels(len(panels), height_mm=60, sharex=True, sharey=True)
    for ax, names in zip(axes, panels, strict=True):
        for name in names:
            seed_band(ax, curves[curves["architecture"] == name], "epoch", column, name, style)
        _mark_tests(ax, table.set_index("architecture")[list(tested)].reindex(names).dropna(), curves["epoch"], style)
        for value in table[baseline].unique():
            ax.axhline(value, color=GREY, lw=0.8)
        heading(ax, "", ncols=min(len(names), 4))
        ax.set(xlabel="epoch", ylabel=label)
    if not len(curves):
        note(axes[0], "No network was trained.")
    conclude(figure, message)
    legend(figure, BAND, BASELINE, TESTED)
    return figure


def _mark_tests(ax: Axes, rows: pd.DataFrame, epochs: "pd.Series[float]", style: Style) -> None:
    """Marks with whiskers behind the last epoch, a place for each network; ticks are of epochs alone."""
    ax.set_xticks([tick for tick in ax.get_xticks() if 0 <= tick <= epochs.max()])
    for place, (name, (middle, low, high)) in enumerate(rows.T.items()):
        ax.errorbar(
            epochs.max() * (1.04 + GAP * place),
            middle,
            [[middle - low], [high - middle]],
            color=style.colours[str(name)],
            marker="D",
            markersize=3,
            markerfacecolor="white",
            elinewidth=0.8,
        )
