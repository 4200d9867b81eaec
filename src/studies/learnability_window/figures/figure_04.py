"""Figure 4: time-scale spectra under AdamW; each axis has its own range."""

from matplotlib.figure import Figure

from learnability.report.panels import by_architecture, time_scales
from learnability.report.style import Style, Tables


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `spectrum`."""
    figure, axes = style.panels(len(style.architectures), height_mm=38)
    for ax, (architecture, rows) in zip(axes, by_architecture(tables["spectrum"], style), strict=True):
        time_scales(ax, rows, architecture, style)
    return figure
