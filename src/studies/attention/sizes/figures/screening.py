"""Gradients that arrive far back, over ρ and over ν: Fig. 3 of Kerg et al. 2020, in numbers."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.style import Style, Tables, conclude, heading, legend, note, unbroken
from studies.attention.sizes.tables import UNTRAINED
from studies.attention.trained_tables import SIZES

SIGNS = {"relevant": "ρ, the relevant set", "short_term": "ν, the short-term buffer"}
LOOKS: dict[str, Any] = dict(
    zip(SIZES, ({"color": "#0173b2", "marker": "o"}, {"color": "#d55e00", "marker": "s"}), strict=True)
)


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `screening`: a panel for each network, before training and after it, each on one scale."""
    groups = list(tables["screening"].groupby(["trained_on", "architecture"], sort=False))
    figure, axes = style.panels(max(1, len(groups)), height_mm=54)
    first: dict[bool, Axes] = {}
    for ax, ((trained_on, name), group) in zip(axes, groups, strict=False):
        for size_name in SIZES:
            rows = group[group["varied"] == size_name].sort_values("size")
            ax.plot(rows["size"], rows["farthest"], **LOOKS[size_name])
        when = "before training" if trained_on == UNTRAINED else f"after {trained_on}"
        heading(ax, f"{style.labels[str(name)]} {when}".replace(" = ", unbroken(" = ")))
        shared = first.setdefault(trained_on == UNTRAINED, ax)
        if shared is not ax:
            ax.sharey(shared)
        ax.set(xlabel="size of what is kept", ylabel="log₁₀ ‖∂L/∂hₜ‖, farthest quarter")
    if not groups:
        note(axes[0], "No network with screening was measured.")
    conclude(figure, "Sizes of what is kept move the gradients of the distant past before training")
    legend(figure, *(Line2D([], [], **LOOKS[size_name], label=SIGNS[size_name]) for size_name in SIZES))
    return figure
