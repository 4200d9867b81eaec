"""The share of lags that is detected, and what is learned of them, epoch by epoch, with attention and without."""

from dataclasses import replace

from matplotlib.figure import Figure

from learnability.report.panels import epoch_axis
from learnability.report.style import BAND, Style, Tables, heading, headline, legend, note
from studies.attention.trained_tables import in_words
from studies.attention.window_tables import WITH

SHOWN = {"detected": "share of lags detected", "share": "r/c, mean over lags"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `attention_training` and `attention_order`, of `studies.attention.window_tables.tabulate`."""
    table, order = tables["attention_training"], tables["attention_order"]
    experiments = table["experiment"].unique().tolist()
    figure, axes = style.panels(len(SHOWN) * len(experiments), 2, height_mm=40)
    places = [(experiment, column) for experiment in experiments for column in SHOWN]
    for pair, (experiment, column) in zip(axes.reshape(-1, 2), places, strict=True):
        of_it = table[table["experiment"] == experiment]
        for ax, attends in zip(pair, (False, True), strict=True):
            members = [name for name in style.present(of_it) if (name in WITH) == attends]
            for name in members:
                rows, line = of_it[of_it["architecture"] == name].sort_values("epoch"), style.line(name)
                ax.plot(rows["epoch"], rows[column], **line)
                ends = rows[f"{column}_low"], rows[f"{column}_high"]
                ax.fill_between(rows["epoch"], *ends, color=line["color"], alpha=0.2, linewidth=0)
            heading(ax, in_words(experiment))
            epoch_axis(ax, int(of_it["epoch"].max()))
            ax.set(ylabel=SHOWN[column], ylim=(-0.1, 1.1))
            if not members:
                note(ax, "No such network.")
    told = order[order["is_trained_on"] & (order["share"] == order["share"].min())]
    counts = told[["learned", "detected before", "same", "after"]].sum()
    headline(
        figure,
        f"Of {counts['learned']} lags that are learned to a tenth, {counts['detected before']} were detected at an "
        f"earlier stored epoch, {counts['same']} at the same one and {counts['after']} later or never",
    )
    legend(figure, *replace(style, architectures=style.present(table)).handles(), BAND)
    return figure
