"""Learning curves: validation loss, gradient norm before clipping and share of clipped steps over epochs."""

from matplotlib.figure import Figure

from learnability.report.panels import by_architecture, plain_log, seed_band
from learnability.report.style import BAND, Style, Tables, heading, headline, legend

PANELS = {
    "validation_loss": "validation loss",
    "gradient_norm": "gradient norm",
    "clipped_fraction": "share of clipped steps",
}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `curve`."""
    bunches = style.bunches()
    figure, axes = style.panels(len(PANELS), len(bunches), height_mm=40)
    for row, (column, label) in zip(axes.reshape(len(PANELS), -1), PANELS.items(), strict=True):
        curve = tables["curve"].dropna(subset=column)
        for ax, names in zip(row, bunches, strict=True):
            for architecture, rows in by_architecture(curve[curve["architecture"].isin(names)], style):
                if len(rows):
                    seed_band(ax, rows, "epoch", column, architecture, style, linewidth=0.9)
            if column == "gradient_norm":
                plain_log(ax, "y")
            heading(ax, label)
            ax.set(xlabel="epoch", ylabel=label)
        limits = [ax.get_ylim() for ax in row]
        for ax in row:
            ax.set_ylim(min(low for low, _ in limits), max(high for _, high in limits))
    losses = tables["curve"].sort_values("epoch").groupby(["architecture", "seed"])["validation_loss"].last()
    headline(figure, f"Validation loss after training: {style.told(losses.groupby('architecture').median())}")
    legend(figure, *style.handles(), BAND)
    return figure
