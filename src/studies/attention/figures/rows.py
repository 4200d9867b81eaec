"""Panels with a row for each network, which is named beside it in its colour."""

from collections.abc import Sequence

from matplotlib.axes import Axes

from learnability.report.style import Style


def name_rows(ax: Axes, names: Sequence[str], style: Style) -> None:
    """Write the labels of architectures at 0, 1, …, from the top."""
    ax.set_yticks(range(len(names)), [style.labels[name] for name in names])
    for label, name in zip(ax.get_yticklabels(), names, strict=True):
        label.set_color(style.colours[name])
    ax.set_ylim(len(names) - 0.4, -0.6)
