"""Proposition 1: what paths of each depth add to ds_{t+k}/dh_t."""

from typing import Any

from matplotlib import colormaps
from matplotlib.figure import Figure

from learnability.report.findings import number
from learnability.report.panels import plain_log
from learnability.report.style import DASHES, MARKERS, Style, Tables, heading, headline, unbroken

LAGS = (2, 4, 8)
"""Lags k."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `paths` of `studies.attention.theory.paths`."""
    table = tables["theory_paths"]
    networks = list(table["network"].unique())
    figure, axes = style.panels(len(networks), height_mm=60)
    for ax, network in zip(axes, networks, strict=True):
        for place, lag in enumerate(LAGS):
            rows = table[(table["network"] == network) & (table["lag"] == lag)]
            look: dict[str, Any] = {
                "marker": MARKERS[place],
                "markersize": 2.5,
                "color": colormaps["viridis"](0.4 * place),
            }
            ax.plot(rows["depth"], rows["norm"] / rows["total"], linestyle=DASHES[place], label=f"k = {lag}", **look)
        plain_log(ax, "y")
        ax.set(xlabel="depth s", ylabel="share of the derivative")
        rows = table[table["network"] == network]
        error = number((rows["by_paths"] / rows["total"]).max())
        text = f"relative error of\nthe sum over paths:\nat most {unbroken(error)}"
        ax.text(0.04, 0.04, text, transform=ax.transAxes, va="bottom")
        heading(ax, network, ncols=len(LAGS))
    headline(figure, "The sum over paths is the derivative")
    return figure
