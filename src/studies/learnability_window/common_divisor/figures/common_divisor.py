"""Two tasks at equal epochs, with a common divisor of the lags and without: loss, shares, detection and resonances."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import by_architecture, epoch_axis, seed_band
from learnability.report.style import BAND, Style, Tables, conclude, heading, legend
from studies.learnability_window.tables.tasks import both_tasks

PANELS = {"validation_loss": "validation loss", "detected": "lags detected", "resonances": "resonances that last"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables of `both_tasks`, in their order: over epochs, then the share of each lag at the last one."""
    table = both_tasks(*tables.values())
    last, divisors = int(table["epoch"].max()), sorted(table["divisor"].unique(), reverse=True)
    dashes = dict(zip(divisors, ("-", "--"), strict=False))
    figure, axes = style.panels(4, 2, height_mm=52)
    shares = [name for name in map(str, table) if name.startswith("share ")]
    for architecture, rows in by_architecture(table, style):
        for divisor, task_rows in rows.groupby("divisor"):
            line = {"linestyle": dashes[divisor], "markevery": 1}
            for ax, column in zip(axes, PANELS, strict=False):
                seed_band(ax, task_rows, "epoch", column, architecture, style, **line)
            at_end = task_rows[task_rows["epoch"] == last].melt(["seed"], shares, "place", "share")
            at_end = at_end.assign(place=at_end["place"].str.split().str[-1].astype(int))
            seed_band(axes[-1], at_end, "place", "share", architecture, style, **line)
    for ax, label in zip(axes, PANELS.values(), strict=False):
        epoch_axis(ax, last)
        ax.set_ylabel(label)
        heading(ax, label)
    axes[-1].set(xlabel="lag of the task, in order", ylabel="learned share r/c")
    heading(axes[-1], f"learned by epoch {last}")
    conclude(figure, "Without a common divisor of the lags the loss stays higher")
    kinds = [
        Line2D(
            [], [], color="k", linestyle=dash, label="no common divisor" if number == 1 else f"common divisor {number}"
        )
        for number, dash in dashes.items()
    ]
    legend(figure, *style.handles(), *kinds, BAND)
    return figure
