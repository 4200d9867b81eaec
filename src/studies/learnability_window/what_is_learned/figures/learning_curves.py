"""Learning curves: validation loss, gradient norm before clipping and share of clipped steps over epochs."""

from matplotlib.figure import Figure

from learnability.report.panels import by_architecture, plain_log, seed_band
from learnability.report.style import BAND, Style, Tables, conclude, heading, legend

PANELS = {
    "validation_loss": "validation loss",
    "gradient_norm": "gradient norm",
    "clipped_fraction": "share of clipped steps",
}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `curve`."""
    bunches = style.bunches()
    figure, axes = style.panels(len(PANELS) * len(bunches), len(PANELS), sharex=True, sharey="col")
    for row, (column, label) in zip(axes.reshape(-1, len(PANELS)).T, PANELS.items(), strict=True):
        curve = tables["curve"].dropna(subset=column)
        for ax, names in zip(row, bunches, strict=True):
            for architecture, rows in by_architecture(curve[curve["architecture"].isin(names)], style):
                if len(rows):
                    seed_band(ax, rows, "epoch", column, architecture, style, linewidth=0.9)
            if column == "gradient_norm":
                plain_log(ax, "y")
            heading(ax, label)
            ax.set(xlabel="epoch", ylabel=label)
    conclude(figure, "Gradients grow while losses fall")
    legend(figure, *style.handles(), BAND)
    return figure
