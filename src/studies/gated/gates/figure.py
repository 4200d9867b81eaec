"""A gate as a soft switch; gates at symbols and at blanks; and recall after a learned gate is replaced."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.style import GREY, Style, Tables, heading, headline, legend
from studies.gated.gates.measure import LETTERS, SHOWN

HOW: dict[str, tuple[str, str]] = {
    "learned": ("learned", "o"),
    "of_input": ("of the input alone", "s"),
    "constant": ("constant", "D"),
}
COLOURS = ("#0173b2", "#d55e00", "#949494", "#029e73")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `gates_switch`, `gates_units` and `gates_held`."""
    switch, units, recall = (tables[f"gates_{kind}"] for kind in ("switch", "units", "held"))
    figure, (first, second, third) = style.panels(3, height_mm=60)
    first.plot(switch["a"], switch["gate"], color="k", marker="o", markersize=2.5)
    heading(first, "a soft switch")
    first.set(xlabel="what is computed, a", ylabel="gate σ(a)", ylim=(-0.05, 1.05))
    _by_unit(second, units, style)
    _draw_held(third, recall, style)
    headline(figure, "What gates learn, and what is lost without it")
    legend(
        figure,
        *(
            Line2D([], [], color="k", marker=marker, linestyle="", markersize=3, label=words)
            for words, marker in HOW.values()
        ),
    )
    return figure


def _by_unit(ax: Axes, units: pd.DataFrame, style: Style) -> None:
    ax.axline((0, 0), slope=1, color=GREY, linewidth=0.7, linestyle="--", zorder=0)
    for place, (name, gate) in enumerate(SHOWN):
        rows = units[(units["architecture"] == name) & (units["gate"] == gate)]
        shape = {
            "marker": style.line(name)["marker"],
            "color": COLOURS[place],
            "label": f"{LETTERS[gate]} of {style.labels[name]}",
        }
        if len(rows):
            ax.plot(rows["blank"], rows["symbol"], linestyle="", markersize=2.5, alpha=0.6, **shape)
    heading(ax, "after training, each unit", ncols=2)
    ax.set(xlabel="mean at blanks", ylabel="mean at symbols", xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))


def _draw_held(ax: Axes, recall: pd.DataFrame, style: Style) -> None:
    order = [
        (name, gate)
        for name in style.present(recall)
        for gate in recall.loc[recall["architecture"] == name, "gate"].unique()
    ]
    for how, (_, marker) in HOW.items():
        shares = recall[recall["held"] == how].groupby(["architecture", "gate"])["accuracy"].median()
        ax.plot([shares[key] for key in order], range(len(order)), marker, color="k", markersize=3, clip_on=False)
    ax.set(xlabel="share of the symbols", xlim=(-0.05, 1.05), ylabel="gate")
    ax.set_yticks(range(len(order)), [f"{LETTERS[gate]} of {style.labels[name]}" for name, gate in order])
    ax.invert_yaxis()
    heading(ax, "gates held")
