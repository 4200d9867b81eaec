"""The share of lags that is detected, and what is learned of them, epoch by epoch, with attention and without."""

from matplotlib.figure import Figure

from learnability.report.panels import epoch_axis
from learnability.report.style import BAND, Style, Tables, conclude, heading, legend
from studies.attention.trained_tables import in_words

MEASURES = {"detected": "share of lags detected", "share": "r/c, mean over lags"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `attention_training`, of `studies.attention.window_tables.tabulate`."""
    table = tables["attention_training"]
    experiments = table["experiment"].unique().tolist()
    places = [(column, experiment) for column in MEASURES for experiment in experiments]
    figure, axes = style.panels(len(places), len(experiments), height_mm=52, sharex="col", sharey="row")
    for ax, (column, experiment) in zip(axes, places, strict=True):
        of_it = table[table["experiment"] == experiment]
        for name in style.present(of_it):
            rows, line = of_it[of_it["architecture"] == name].sort_values("epoch"), style.line(name)
            ax.plot(rows["epoch"], rows[column], **line)
            ends = rows[f"{column}_low"], rows[f"{column}_high"]
            ax.fill_between(rows["epoch"], *ends, color=line["color"], alpha=0.2, linewidth=0)
        heading(ax, in_words(experiment))
        epoch_axis(ax, int(of_it["epoch"].max()))
        ax.set(ylabel=MEASURES[column], ylim=(-0.1, 1.1))
    conclude(figure, "Shares of detected lags rise and fall over training; learned shares hardly ever fall")
    legend(figure, *style.handles(table), BAND)
    return figure
