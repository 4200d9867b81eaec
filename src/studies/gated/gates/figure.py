"""Gates at symbols and at blanks, how far units move between them, and recall after a learned gate is replaced."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import label_point
from learnability.report.style import GREY, Style, Tables, conclude, heading, legend
from studies.gated.gates.measure import LETTERS, SHOWN, apart

HOW: dict[str, tuple[str, str]] = {
    "learned": ("learned", "o"),
    "of_input": ("of the input alone", "s"),
    "constant": ("constant", "D"),
}
COLOURS = ("#0173b2", "#d55e00", "#949494", "#029e73")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `gates_units` and `gates_held`."""
    units, recall = tables["gates_units"], tables["gates_held"]
    figure, (first, second, third) = style.panels(3, height_mm=60)
    _by_unit(first, units, style)
    _draw_moves(second, units, style)
    _draw_held(third, recall, style)
    conclude(figure, "A minority of gates moves with what it reads; where gates are held, recall is lost")
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
        }
        if len(rows):
            ax.plot(rows["blank"], rows["symbol"], linestyle="", markersize=2.5, alpha=0.6, **shape)
    heading(ax, "each unit, colours of (b)")
    ax.set(xlabel="mean at blanks", ylabel="mean at symbols", xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))


def _draw_moves(ax: Axes, units: pd.DataFrame, style: Style) -> None:
    """Distance of a gate's means, of the median unit and of the most selective one; medians over seeds."""
    moves = apart(units).groupby(["architecture", "gate"])[["median", "largest"]].median()
    rows = [(place, key) for place, key in enumerate(SHOWN) if key in moves.index]
    for place, key in rows:
        ax.plot(
            moves.loc[key, ["median", "largest"]].to_numpy(),
            [place, place],
            color=COLOURS[place],
            marker="|",
            markersize=7,
            linewidth=0.8,
        )
        for value in moves.loc[key, ["median", "largest"]]:
            label_point(ax, f"{value:.2f}", (value, place), (0, 5), color=COLOURS[place])
    names = [f"{LETTERS[gate]} of {style.labels[name]}" for _, (name, gate) in rows]
    ax.set_yticks([place for place, _ in rows], names)
    for tick, (place, _) in zip(ax.get_yticklabels(), rows, strict=True):
        tick.set_color(COLOURS[place])
    ax.set(xlabel="distance of the means", xlim=(-0.12, 1.05), ylabel="gate", ylim=(len(SHOWN) - 0.6, -0.6))
    heading(ax, "median unit to most selective")


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
    heading(ax, "recall with gates held")
