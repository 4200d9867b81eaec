"""Gradient of the answers that arrives at earlier steps, before training."""

import re

from matplotlib.figure import Figure

from learnability.report.style import Style, Tables, conclude, heading, legend
from studies.attention.drawn.families import FAMILIES, members


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `gradient_norms`, of `studies.attention.before_training.tabulate`: a mark for each quarter of the way.

    Where nothing arrives there is no mark.
    """
    table = tables["gradient_norms"]
    quarters = [name for name in map(str, table) if re.fullmatch(r"back_\d+_\d+", name)]
    middles = [sum(map(int, name.split("_")[1:])) / 2 for name in quarters]
    families = {attends: words for attends, words in FAMILIES.items() if members(table, attends, style)}
    figure, axes = style.panels(len(families), height_mm=62, sharex=True, sharey=True)
    for ax, (attends, words) in zip(axes, families.items(), strict=True):
        for name in members(table, attends, style):
            (values,) = table.loc[table["architecture"] == name, quarters].to_numpy()
            ax.plot(middles, values, **style.line(name))
        heading(ax, words)
        ax.set(xlabel="steps before the last", ylabel="log₁₀ ‖∂L/∂hₜ‖ less the last step's")
    conclude(figure, "Before training orthogonal recurrences and most attention keep gradients")
    legend(figure, *style.handles(table))
    return figure
