"""Training losses by where gates start: a panel for each group of architectures, on the same axes."""

from matplotlib.figure import Figure

from learnability.report.panels import by_architecture, epoch_axis, seed_band
from learnability.report.style import BAND, Style, Tables, heading, headline, legend


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `curve`: the first three architectures, then those with the other start."""
    curve = tables["curve"].dropna(subset="training_loss")
    names = list(style.architectures)
    groups = [names[: len(names) // 2], names[len(names) // 2 :]]
    figure, axes = style.panels(2, height_mm=40)
    for ax, members in zip(axes, groups, strict=True):
        for architecture, rows in by_architecture(curve[curve["architecture"].isin(members)], style):
            if len(rows):
                seed_band(ax, rows, "epoch", "training_loss", architecture, style)
        epoch_axis(ax, int(curve["epoch"].max()))
        ax.set_ylabel("training loss")
        heading(ax, ", ".join(style.labels[name] for name in members), ncols=1)
    limits = [ax.get_ylim() for ax in axes]
    for ax in axes:
        ax.set_ylim(min(low for low, _ in limits), max(high for _, high in limits))
    losses = curve.sort_values("epoch").groupby(["architecture", "seed"])["training_loss"].last()
    headline(figure, f"Training loss at the end: {style.told(losses.groupby('architecture').mean())}")
    legend(figure, *style.handles(), BAND)
    return figure
