"""What networks explain of delayed sums against the learning rate, with attention and without."""

from dataclasses import replace

from matplotlib.figure import Figure

from learnability.report.panels import plain_log
from learnability.report.style import BAND, Style, Tables, heading, headline, legend, note
from studies.attention.trained_tables import in_words
from studies.attention.window_tables import WITH


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `attention_rates`, of `studies.attention.rate_tables.tabulate`."""
    table = tables["attention_rates"]
    experiments = table["experiment"].unique().tolist()
    figure, axes = style.panels(len(experiments), 2, height_mm=48)
    for pair, experiment in zip(axes.reshape(-1, 2), experiments, strict=True):
        of_it = table[table["experiment"] == experiment]
        for ax, attends in zip(pair, (False, True), strict=True):
            members = [name for name in style.present(of_it) if (name in WITH) == attends]
            for name in members:
                rows, line = of_it[of_it["architecture"] == name].sort_values("rate"), style.line(name)
                ax.plot(rows["rate"], rows["share"], **line)
                stopped = rows[rows["diverged"] > 0]
                ax.plot(stopped["rate"], stopped["share"], "x", color=line["color"], markersize=6, label="_")
                ax.fill_between(rows["rate"], rows["low"], rows["high"], color=line["color"], alpha=0.2, linewidth=0)
            heading(ax, in_words(experiment))
            plain_log(ax, "x")
            ax.set(xlabel="learning rate", ylabel="explained", ylim=(-0.25, 1.05))
            if not members:
                note(ax, "No such network.")
    best = table[table["best"] & (table["experiment"] == experiments[0])].set_index("architecture")["share"]
    headline(figure, f"Explained of {in_words(experiments[0])}, at the best rate: {style.told(best, '{:.2f}')}")
    legend(figure, *replace(style, architectures=style.present(table)).handles(), BAND)
    return figure
