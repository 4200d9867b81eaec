"""Learning curves of an experiment, beside the baseline without input."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import seed_band
from learnability.report.style import BAND, GREY, Style, Tables, bunches, conclude, heading, legend, note
from studies.attention.dense_tables import curve_of

BASELINE = Line2D([], [], color=GREY, linewidth=0.8, label="without input")


def draw_curves(
    tables: Tables, style: Style, experiment: str, quantity: tuple[str, str], baseline: str, message: str
) -> Figure:
    """Draw from `curve`, learning curves with `experiment`, and the table of that name.

    Args:
        quantity: a column of `studies.attention.dense_tables.curve_of`, and its name on the axis.
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
        for value in table[baseline].unique():
            ax.axhline(value, color=GREY, lw=0.8)
        heading(ax, "", ncols=min(len(names), 4))
        ax.set(xlabel="epoch", ylabel=label)
    if not len(curves):
        note(axes[0], "No network was trained.")
    conclude(figure, message)
    legend(figure, BAND, BASELINE)
    return figure
