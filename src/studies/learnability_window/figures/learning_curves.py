"""Learning curves: validation loss, gradient norm before clipping and share of clipped steps over epochs."""

from matplotlib.figure import Figure

from learnability.report.panels import by_architecture, plain_log, seed_band
from learnability.report.style import Style, Tables

PANELS = (
    ("validation_loss", "validation loss"),
    ("gradient_norm", "gradient norm"),
    ("clipped_fraction", "share of clipped steps"),
)


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `curve`."""
    figure, axes = style.panels(len(PANELS), height_mm=42)
    for ax, (column, label) in zip(axes, PANELS, strict=True):
        for architecture, rows in by_architecture(tables["curve"].dropna(subset=column), style):
            seed_band(ax, rows, "epoch", column, architecture, style)
        ax.set(xlabel="epoch", ylabel=label)
    axes[0].legend(loc="lower center", bbox_to_anchor=(0.5, 1.1))
    plain_log(axes[1], "y")
    return figure
