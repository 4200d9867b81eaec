"""Learned lags that are detected before, at the same epoch or later, with attention and without: a bar for each."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from learnability.report.panels import label_bar
from learnability.report.style import Style, Tables, conclude, heading, legend
from studies.attention.window_tables import WITH

CHANCE = "learned at the start"
SHADES = {"detected before": "#0173b2", "same": "#56b4e9", "after": "#d55e00", CHANCE: "0.7"}
"""Columns of `attention_order` and their colours."""
WORDS = {
    "detected before": "detected before learned",
    "same": "at the same epoch",
    "after": "later or never",
    CHANCE: "learned by chance before training",
}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `attention_order`: a panel for each number of sequences in which lags are detected."""
    order = tables["attention_order"]
    order = order.assign(after=order["after"] - order[CHANCE])
    figure, axes = style.panels(2, height_mm=58, sharex=True, sharey=True)
    for ax, is_trained_on in zip(axes, (True, False), strict=True):
        rows = order[order["is_trained_on"] == is_trained_on]
        _bars(ax, rows)
        heading(ax, "N̂ at most N of training" if is_trained_on else f"N̂ at most {order['N'].min()}")
    axes[0].invert_yaxis()
    conclude(figure, "Most learned lags are detected no later than they are learned, with attention as without")
    legend(figure, *(Patch(color=shade, label=WORDS[name]) for name, shade in SHADES.items()))
    return figure


def _bars(ax: Axes, rows: pd.DataFrame) -> None:
    """A bar for networks with attention and without, at each share from which a lag counts as learned."""
    attends = rows["architecture"].isin(WITH)
    names: list[str] = []
    for share in sorted(rows["share"].unique()):
        for words, group in (("with attention", rows[attends]), ("without", rows[~attends])):
            edge, counts = 0, group.loc[group["share"] == share, list(SHADES)].sum()
            for name, shade in SHADES.items():
                ax.barh(len(names), counts[name], left=edge, color=shade)
                if counts[name] > 6:
                    label_bar(ax, f"{counts[name]}", (edge + counts[name] / 2, len(names)), shade)
                edge += counts[name]
            names.append(f"{words}, r/c ≥ {share:g}")
    ax.set_yticks(range(len(names)), names)
    ax.set(xlabel="learned lags", ylabel="networks")
