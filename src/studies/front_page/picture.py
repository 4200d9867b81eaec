"""Three panels side by side, each understood in seconds: transport, sequences by lag, and recall over delays."""

from typing import Any

import matplotlib as mpl
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

WIDTH, HEIGHT = 1200, 400
"""Pixels."""
DPI = 100
GATES = {"ConstGate": "#08519c", "SharedGate": "#3182bd", "DiagGate": "#6baed6"}
"""Shades of one colour: cells with gates are one family."""
IDS = {"const_gate": "ConstGate", "shared_gate": "SharedGate", "diag_gate": "DiagGate"}
GRID, FEWEST = "sparse", 2
"""Grid of the settings whose N₅₀ is drawn, and the fewest sequences that were tried there."""
APART = 1.06
"""Factor between the places of two gates at one lag, so that their intervals can be told apart."""
ATTENTION, ORTHOGONAL, EXACT = "#8e3a9d", "#029e73", "0.1"
RECALL_LOOKS = {"rel_rnn": (ATTENTION, "o"), "orth_rnn": (ORTHOGONAL, "s"), "exp_rnn": (ORTHOGONAL, "^")}
"""Colour of the family, and marker."""
RECIPES = {"authors_code": "authors' recipe", "printed": "printed recipe"}


def draw(transport: pd.DataFrame, half_learned: pd.DataFrame, transfer: pd.DataFrame) -> Figure:
    """The picture.

    Args:
        transport: `exact` and `first_order` by `optimizer`, `architecture` (its label) and `lag`.
        half_learned: N₅₀, `n50`, with `n50_low` and `n50_high`, by `grid`, `architecture`, `lag` and `updates`.
        transfer: `measured`, the share of symbols recalled, with `low` and `high` over seeds, by `architecture` and
            `delay`; `finite`, the share of sequences without an overflow.
    """
    with mpl.rc_context({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(WIDTH / DPI, HEIGHT / DPI), dpi=DPI, layout="constrained")
        axes = figure.subplots(1, 3, width_ratios=[1.1, 1, 1.1])
        _draw_transport(axes[0], transport[transport["optimizer"] == "adamw"])
        _draw_sequences(axes[1], rows_of_gates(half_learned))
        _draw_recall(axes[2], transfer, int(transfer["delay"].min()))
    return figure


def rows_of_gates(half_learned: pd.DataFrame) -> pd.DataFrame:
    """Rows of the three gates in `GRID`, after all updates."""
    rows = half_learned[half_learned["architecture"].isin(IDS) & (half_learned["grid"] == GRID)]
    return rows[rows["updates"] == rows["updates"].max()]


def _title(ax: Axes, text: str) -> None:
    ax.set_title(text, loc="left", weight="bold", fontsize=10.5)


def _draw_transport(ax: Axes, transport: pd.DataFrame) -> None:
    """Gradients that cross a lag, exactly and by first order."""
    three = transport[transport["architecture"].isin(GATES)]
    exact = three.pivot(index="lag", columns="architecture", values="exact")
    ax.fill_between(exact.index, exact.min(axis=1), exact.max(axis=1), color=EXACT, linewidth=3)
    ax.annotate("exact gradient, all three gates", (exact.index[-1], 1e3), ha="right", va="bottom", color=EXACT)
    for name, rows in three.groupby("architecture", sort=False):
        ax.plot(rows["lag"], rows["first_order"], color=GATES[str(name)], linewidth=2)
        last = rows.iloc[-1]
        ax.annotate(f" {name}", (last["lag"], last["first_order"]), va="center", color=GATES[str(name)])
    ax.annotate("the paper's\nfirst-order\nformula", (30, 1e-44), color="0.3", ha="center")
    ax.set(yscale="log", ylim=(1e-68, 1e9), xlim=(0, exact.index.max() * 1.3), xlabel="lag, steps")
    ax.set_yticks([10.0**power for power in (0, -20, -40, -60)])
    ax.minorticks_off()
    ax.set_ylabel("gradient across the lag, Σ |diagonal|")
    ax.set_xticks([0, 32, 64, 96, 128])
    _title(ax, "The paper's formula loses the gradient")


def _draw_sequences(ax: Axes, rows: pd.DataFrame) -> None:
    """N₅₀ of each gate by lag with its interval; an arrow marks one that ends below the fewest that were tried."""
    for place, (architecture, name) in enumerate(IDS.items()):
        of_gate = rows[rows["architecture"] == architecture].sort_values("lag")
        at, middle = of_gate["lag"] * APART ** (place - 1), of_gate["n50"]
        is_below = of_gate["n50_low"] < FEWEST
        low = of_gate["n50_low"].clip(lower=FEWEST)
        ends = [middle - low, of_gate["n50_high"] - middle]
        ax.errorbar(at, middle, ends, color=GATES[name], marker="o", linewidth=2, elinewidth=1, markersize=5)
        ax.plot(at[is_below], low[is_below], "v", color=GATES[name], fillstyle="none", markersize=6)
        at_end: dict[str, Any] = {"xytext": (14, 5 * (place - 1)), "textcoords": "offset points"}
        ax.annotate(name, (at.iloc[-1], middle.iloc[-1]), va="center", color=GATES[name], **at_end)
    lags = sorted(rows["lag"].unique())
    size: dict[str, Any] = {"ylim": (FEWEST / 1.3, 200), "xlim": (lags[0] / 1.15, 2.2 * lags[-1])}
    ax.set(xscale="log", yscale="log", xlabel="lag, steps", ylabel="sequences to half learn it, N₅₀", **size)
    ax.set_xticks(lags, [str(lag) for lag in lags])
    ax.set_yticks([2, 5, 10, 20, 50, 100], ["2", "5", "10", "20", "50", "100"])
    ax.minorticks_off()
    _title(ax, "A farther lag takes more sequences")


def _draw_recall(ax: Axes, transfer: pd.DataFrame, training_delay: int) -> None:
    """Recall over delays of networks trained at the shortest one; where every state overflows, an open mark alone."""
    for name, (colour, marker) in RECALL_LOOKS.items():
        rows = transfer[transfer["architecture"] == name].sort_values("delay")
        answers, overflows = rows[rows["finite"] > 0], rows[rows["finite"] == 0]
        ax.fill_between(answers["delay"], answers["low"], answers["high"], color=colour, alpha=0.2, linewidth=0)
        ax.plot(answers["delay"], answers["measured"], color=colour, marker=marker, linewidth=2)
        ax.plot(overflows["delay"], 0 * overflows["delay"], marker, color=colour, fillstyle="none", zorder=4)
    chance, longest = transfer["chance"].iloc[0], transfer["delay"].max()
    ax.axhline(chance, color="0.4", linewidth=0.8, linestyle=":")
    ax.annotate("chance level", (4.5 * training_delay, chance + 0.02), color="0.4")
    ax.annotate("orth-RNN:\nno answer,\nstate overflows", (longest, 0.24), ha="right", color=ORTHOGONAL)
    ax.annotate(f"RelRNN, {_recipe(transfer, 'rel_rnn')}", (longest, 0.96), ha="right", va="top", color=ATTENTION)
    ax.annotate(
        f"■ orth-RNN, ▲ expRNN,\n{_recipe(transfer, 'orth_rnn')}", (1.6 * training_delay, 0.6), color=ORTHOGONAL
    )
    ax.set(
        xscale="log",
        ylim=(-0.03, 1.05),
        xlabel=f"delay, steps (trained at {training_delay})",
        ylabel="symbols recalled",
    )
    ax.set_xticks([100, 200, 400, 2000, 5000], ["100", "200", "400", "2,000", "5,000"])
    ax.minorticks_off()
    _title(ax, "RelRNN recalls at delays it never saw")


def _recipe(transfer: pd.DataFrame, architecture: str) -> str:
    """Recipe by which an architecture was trained, in words."""
    (recipe,) = transfer.loc[transfer["architecture"] == architecture, "recipe"].unique()
    return RECIPES[recipe]
