"""Explained variance of delayed sums against the learning rate, with attention and without."""

from matplotlib.figure import Figure

from learnability.report.panels import plain_log
from learnability.report.style import BAND, Style, Tables, conclude, heading, legend, note
from studies.attention.drawn.families import FAMILIES, members
from studies.attention.drawn.shares import DIVERGENCE
from studies.attention.trained_tables import in_words


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `attention_rates`, of `studies.attention.at_best_rates.tables.tabulate`."""
    table = tables["attention_rates"]
    experiments = table["experiment"].unique().tolist()
    figure, axes = style.panels(2 * len(experiments), height_mm=60, sharex=True, sharey=True)
    panels = [(family, experiment) for family in FAMILIES.items() for experiment in experiments]
    for ax, ((attends, family), experiment) in zip(axes, panels, strict=True):
        of_it = table[table["experiment"] == experiment]
        names = members(of_it, attends, style)
        for name in names:
            rows, line = of_it[of_it["architecture"] == name].sort_values("rate"), style.line(name)
            ax.plot(rows["rate"], rows["share"], **line)
            failures = rows[rows["diverged"] > 0]
            ax.plot(failures["rate"], failures["share"], "x", color="k", markersize=5, label="_")
            ax.fill_between(rows["rate"], rows["low"], rows["high"], color=line["color"], alpha=0.2, linewidth=0)
        heading(ax, f"{in_words(experiment)}, {family}")
        plain_log(ax, "x")
        ax.set(xlabel="learning rate", ylabel="explained variance", ylim=(-0.25, 1.05))
        if not names:
            note(ax, "No such network.")
    conclude(figure, "RNN, orth-RNN and expRNN at their best rates explain more than attention at any rate")
    marks = [DIVERGENCE] if (table["diverged"] > 0).any() else []
    legend(figure, *style.handles(table), BAND, *marks)
    return figure
