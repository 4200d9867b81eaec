"""Overview: learnability windows of all architectures, a panel for each reading."""

from matplotlib.figure import Figure

from learnability.report.panels import windows
from learnability.report.style import Style, Tables


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `window`, of all readings."""
    by_reading = tables["window"].groupby("reading", sort=False)
    figure, axes = style.panels(len(by_reading), height_mm=55)
    for ax, (reading, table) in zip(axes, by_reading, strict=True):
        windows(ax, table, style)
        ax.set_title(f"reading: {str(reading).replace('_', ' ')}")
    axes[0].legend(loc="lower center", bbox_to_anchor=(0.5, 1.1), ncols=2)
    return figure
