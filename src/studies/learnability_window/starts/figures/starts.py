"""Training losses by where gates start: a panel for each group of architectures, on the same axes."""

from matplotlib.figure import Figure

from learnability.report.panels import by_architecture, epoch_axis, seed_band
from learnability.report.style import BAND, Style, Tables, conclude, heading, legend


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `curve`: the first three architectures, then those with the other start."""
    curve = tables["curve"].dropna(subset="training_loss")
    names = list(style.architectures)
    groups = [names[: len(names) // 2], names[len(names) // 2 :]]
    figure, axes = style.panels(2, height_mm=60, sharex=True, sharey=True)
    for ax, members, name in zip(axes, groups, ("ordinary starts", "slow starts"), strict=True):
        for architecture, rows in by_architecture(curve[curve["architecture"].isin(members)], style):
            if len(rows):
                seed_band(ax, rows, "epoch", "training_loss", architecture, style)
        epoch_axis(ax, int(curve["epoch"].max()))
        ax.set_xlim(left=0.9 * curve["epoch"].min() or None)
        ax.set_ylabel("training loss")
        heading(ax, name, ncols=len(members))
    conclude(figure, "From slow starts training losses stay high")
    legend(figure, BAND)
    return figure
