"""Figure 2: learnability windows Ĥ_N against the number of sequences N."""

import pandas as pd
from matplotlib.figure import Figure

from learnability.report.panels import by_architecture, windows
from learnability.report.style import BAND, BEYOND, GREY, INTERVAL, PUBLISHED, Style, Tables, conclude, heading, legend
from studies.learnability_window.groups import ROLES
from studies.learnability_window.paper import WINDOWS


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `window`, under the reading's criterion, a panel for each architecture."""
    window = tables["window"][tables["window"]["chosen"]]
    figure, axes = style.panels(len(style.architectures), sharex=True, sharey=True)
    highest = 1.05 * window["horizon"].max() + 4
    for ax, (architecture, rows) in zip(axes, by_architecture(window, style), strict=True):
        windows(ax, rows, style)
        published_ranges = WINDOWS.get(style.roles.get(architecture, ""), [])
        for low, high in published_ranges:
            ax.axhspan(low - 0.5, high + 0.5, color=GREY, alpha=0.7, linewidth=0.8, zorder=1)
        heading(ax, style.labels[architecture])
        ax.set_ylim(-2, max(highest, *(high + 4 for _, high in published_ranges), 8))
    conclude(figure, _message(window, style))
    legend(figure, BAND, INTERVAL, PUBLISHED, BEYOND)
    return figure


def _message(window: pd.DataFrame, style: Style) -> str:
    """Whether medians of the longest windows rise from gate to gate as the published ones do."""
    largest = window[window["sample_size"] == window["sample_size"].max()]
    medians = largest.groupby(["architecture", "seed"])["horizon"].median().groupby("architecture").median()
    by_role = medians.groupby(lambda name: style.roles.get(name, "")).first().reindex(ROLES)
    is_in_order = by_role.diff().dropna().gt(0)
    words = "are" if len(is_in_order) == len(ROLES) - 1 and is_in_order.all() else "are not"
    return f"At the largest N median windows {words} in the published order"
