"""Figure 5: distribution over lags of the tail index α̂(ℓ)."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from learnability.report.panels import by_architecture
from learnability.report.style import (
    GREY,
    PUBLISHED,
    Style,
    Tables,
    conclude,
    heading,
    legend,
)
from studies.learnability_window.paper import GAUSSIAN

BINS = np.linspace(0.8, 2.0, 49)
SEQUENCES = Line2D([], [], color="k", linewidth=0.9, label="whole sequences")
HEAVY, LIGHT = 1.5, 1.8
"""Tail indices up to which tails are heavy, and from which they hardly are."""
LAWS = ("product of two normals", "normal")
"""Laws of finite variance that are drawn."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `noise`, `noise_of_all` and `references`, a panel for each architecture.

    Lags of all seeds; bars below are the median bootstrap interval of a lag. Lags under the reading's numerical floor
    count as α̂ = 2. Dotted lines are what the reading's estimator says of laws of finite variance, named on top. Where
    the reading draws pairs of a sequence and a step, a black outline has what readings say that draw sequences.
    """
    is_pairs = bool((tables["noise"]["samples"] > tables["noise"]["sequences"]).any())
    others = tables["noise_of_all"]
    others = others[(others["samples"] == others["sequences"]) & (others["transport"] == "exact")]
    others = others if is_pairs else others[:0]
    figure, axes = style.panels(len(style.architectures), sharex=True, sharey=True)
    references = tables["references"]
    laws = references[references["estimator"] == tables["noise"]["estimator"].iloc[0]].set_index("law")["alpha"]
    laws = laws[laws.index.isin(LAWS)]
    for ax, (architecture, rows) in zip(axes, by_architecture(tables["noise"], style), strict=True):
        alpha, colour = rows["alpha"].dropna(), style.colours[architecture]
        _outline(ax, others.loc[others["architecture"] == architecture, "alpha"].dropna(), color="k", linewidth=0.9)
        _outline(ax, alpha, color=colour, facecolor=(colour, 0.35), fill=True)
        if "alpha_low" in rows:
            ends, middle = rows[["alpha_low", "alpha_high"]].median(), alpha.median()
            height = -0.06 * ax.get_ylim()[1]
            ax.plot(ends, [height] * 2, color=colour, linewidth=0.8)
            ax.plot(middle, height, "|", color=colour, markersize=4)
        for law in laws:
            ax.axvline(law, color="k", linewidth=0.6, linestyle=":", zorder=0)
        words = style.labels[architecture]
        if style.roles.get(architecture, "") in ("const_gate", "shared_gate"):
            ax.axvline(GAUSSIAN, color=GREY, linewidth=2, zorder=3)
        elif style.roles.get(architecture) == "diag_gate":
            ax.axvspan(BINS[0], GAUSSIAN, ymin=0.97, color=GREY, linewidth=0)
        if rows["floored"].any():
            words += f", {rows['floored'].mean():.0%} floored"
        heading(ax, words)
        ax.set(xlabel="tail index α̂(ℓ)", ylabel="share of lags", xlim=(BINS[0] - 0.02, GAUSSIAN + 0.04))
    sources = "pairs of a sequence and a step, and of sequences" if len(others) else "the gradient noise over lags"
    conclude(figure, _message(tables["noise"], others) or f"Tail indices of {sources}")
    law_words = ", ".join(f"{law} {alpha:.2f}" for law, alpha in laws.items())
    lines = Line2D([], [], color="k", linestyle=":", linewidth=0.6, label=law_words)
    drawn = Patch(
        facecolor=("0.5", 0.35), edgecolor="0.5", label="pairs of a sequence and a step" if is_pairs else "draws"
    )
    legend(figure, drawn, *([SEQUENCES] if len(others) else []), PUBLISHED, lines)
    return figure


def _message(noise: pd.DataFrame, of_sequences: pd.DataFrame) -> str:
    """How heavy tails are by the medians of all architectures; empty where these differ.

    Args:
        of_sequences: rows of whole sequences, where `noise` is of pairs of a sequence and a step.
    """
    floored = noise["floored"].astype(bool)
    medians, whole = (rows.groupby("architecture")["alpha"].median() for rows in (noise[~floored], of_sequences))
    if of_sequences.empty:
        return "Noise of whole sequences is hardly heavy-tailed" if medians.min() >= LIGHT else ""
    if medians.max() > HEAVY or whole.min() < LIGHT:
        return ""
    where = " above the floor" if floored.any() else ""
    return f"Single steps look heavy-tailed{where}, whole sequences hardly"


def _outline(ax: Axes, alpha: "pd.Series[float]", **look: Any) -> None:
    """Histogram of tail indices as one outline, in shares of them."""
    if len(alpha):
        ax.hist(alpha, BINS.tolist(), weights=np.full(len(alpha), 1 / len(alpha)), histtype="step", **look)
