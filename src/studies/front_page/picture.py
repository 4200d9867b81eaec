"""Three panels side by side, each understood in seconds: transport, resonances, and recall over delays."""

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

WIDTH, HEIGHT = 1200, 400
"""Pixels."""
DPI = 100
GATES = {"ConstGate": "#08519c", "SharedGate": "#3182bd", "DiagGate": "#6baed6"}
"""Shades of one colour: cells with gates are one family."""
ATTENTION, ORTHOGONAL, EXACT, GREY = "#d95f02", "#1b9e77", "0.1", "0.6"
RECALL_LOOKS = {"rel_rnn": (ATTENTION, "o"), "orth_rnn": (ORTHOGONAL, "s"), "exp_rnn": (ORTHOGONAL, "^")}
"""Colour of the family, and marker."""
ON_SPOKE = 0.1
"""Distance from a whole number of cycles, up to which an eigenvalue counts as on a spoke."""
NETWORK = {"architecture": "const_gate", "optimizer": "adamw", "seed": 0}
"""Network whose eigenvalues are drawn."""


def draw(transport: pd.DataFrame, resonances: pd.DataFrame, harmonics: pd.DataFrame, transfer: pd.DataFrame) -> Figure:
    """The picture.

    Args:
        transport: `exact` and `first_order` by `optimizer`, `architecture` (its label) and `lag`.
        resonances: `frequency` and `modulus` of eigenvalues with Im λ ≥ 0 by run and `epoch`.
        harmonics: `period`, steps, the largest divisor of the lags of the task, by run.
        transfer: `measured`, the share of symbols recalled, with `low` and `high` over seeds, by `architecture` and
            `delay`.
    """
    with mpl.rc_context({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(WIDTH / DPI, HEIGHT / DPI), dpi=DPI, layout="constrained")
        axes = figure.subplots(1, 3, width_ratios=[1.15, 0.9, 1.15])
        _draw_transport(axes[0], transport[transport["optimizer"] == "adamw"])
        _draw_eigenvalues(axes[1], _rows_of_network(resonances), int(_rows_of_network(harmonics)["period"].iloc[0]))
        _draw_recall(axes[2], transfer, int(transfer["delay"].min()))
    return figure


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
    ax.annotate("first-order\nformula", (30, 1e-40), color="0.3", ha="center")
    ax.set(yscale="log", ylim=(1e-68, 1e9), xlim=(0, exact.index.max() * 1.3), xlabel="lag, steps")
    ax.set_yticks([10.0**power for power in (0, -20, -40, -60)])
    ax.minorticks_off()
    ax.set_ylabel("gradient across the lag, Σ |diagonal|")
    ax.set_xticks([0, 32, 64, 96, 128])
    _title(ax, "First order loses the gradient")


def _rows_of_network(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of `NETWORK`."""
    return table[np.logical_and.reduce([table[key] == value for key, value in NETWORK.items()])]


def _draw_eigenvalues(ax: Axes, eigenvalues: pd.DataFrame, period: int) -> None:
    """Eigenvalues of the mean Jacobian in the unit disc, before training and after, hollow between spokes."""
    spokes = np.exp(2j * np.pi * np.arange(period) / period)
    ax.plot(np.array([0 * spokes.real, spokes.real]), np.array([0 * spokes.imag, spokes.imag]), color="0.88", lw=0.6)
    circle = np.exp(1j * np.linspace(0, 2 * np.pi, 400))
    ax.plot(circle.real, circle.imag, color="0.3", linewidth=0.8)
    for epoch, colour, size in (
        (eigenvalues["epoch"].min(), GREY, 14),
        (eigenvalues["epoch"].max(), GATES["ConstGate"], 22),
    ):
        at = eigenvalues[eigenvalues["epoch"] == epoch]
        upper = at["modulus"].to_numpy() * np.exp(2j * np.pi * at["frequency"].to_numpy())
        points = np.concatenate([upper, upper.conj()])
        cycles = np.tile(at["frequency"] * period, 2)
        is_hollow = (colour != GREY) & (np.abs(cycles - np.round(cycles)) > ON_SPOKE)
        faces = np.where(is_hollow, "white", colour)
        ax.scatter(points.real, points.imag, s=size, c=faces, edgecolors=colour, zorder=3, linewidth=0.8)
    labels = [
        ("● before training", "0.5"),
        ("● after training   ○ after, between spokes", GATES["ConstGate"]),
        ("ConstGate, mean one-step Jacobian, unit circle", "0.4"),
    ]
    for line, (text, colour) in enumerate(labels):
        ax.annotate(text, (0, -1.08 - 0.16 * line), ha="center", va="top", color=colour, annotation_clip=False)
    ax.set_aspect("equal", anchor="N")
    ax.set_axis_off()
    ax.set_title(f"Most large eigenvalues move to {period} spokes", weight="bold", fontsize=10.5)


def _draw_recall(ax: Axes, transfer: pd.DataFrame, training_delay: int) -> None:
    """Recall over delays of networks trained at the shortest one."""
    for name, (colour, marker) in RECALL_LOOKS.items():
        rows = transfer[transfer["architecture"] == name].sort_values("delay")
        ax.fill_between(rows["delay"], rows["low"], rows["high"], color=colour, alpha=0.2, linewidth=0)
        ax.plot(rows["delay"], rows["measured"], color=colour, marker=marker, linewidth=2)
    chance = transfer["chance"].iloc[0]
    ax.axhline(chance, color="0.4", linewidth=0.8, linestyle=":")
    longest = transfer["delay"].max()
    ax.annotate("chance level", (4.5 * training_delay, chance + 0.02), color="0.4")
    last = transfer[(transfer["architecture"] == "orth_rnn") & (transfer["delay"] == longest)].iloc[0]
    if last["high"] == 0:  # a guess would be right by chance: the state is no number any more
        arrow = {"arrowstyle": "-", "color": "0.4", "linewidth": 0.8}
        at, place = (longest, last["measured"]), (longest, 0.3)
        ax.annotate("state overflows", at, place, ha="right", color=ORTHOGONAL, arrowprops=arrow)
    ax.annotate("RelRNN (attention)", (longest, 0.94), ha="right", va="top", color=ATTENTION)
    ax.annotate("■ orth-RNN, ▲ expRNN", (1.6 * training_delay, 0.6), color=ORTHOGONAL)
    ax.set(
        xscale="log", ylim=(0, 1.05), xlabel=f"delay, steps (trained at {training_delay})", ylabel="symbols recalled"
    )
    ax.set_xticks([100, 400, 2000, 5000], ["100", "400", "2,000", "5,000"])
    ax.minorticks_off()
    _title(ax, "RelRNN recalls at delays it never saw")
