"""The contest: errors of all candidates, and the window of the paper's text beside the best candidate."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.style import GREY, Style, heading, headline, legend
from studies.ground_truth.contest import BASELINES, MOST_SEEDS, SETTING, by_moment, judged, winner

TEXT = "paper, start"
"""Candidate of the paper's text, drawn where its reading is reported."""


def draw(
    contest: pd.DataFrame, half_learned: pd.DataFrame, candidates: pd.DataFrame, sizes: np.ndarray, style: Style
) -> Figure:
    """Draw errors on the held-out half of what is known before training, and N₅₀ over two of the candidates.

    Args:
        contest: of `studies.ground_truth.contest.contest`.
        half_learned, candidates: N₅₀ and, as `by_moment` takes them, candidates of the same settings.
        sizes: the N that were tried.
    """
    best = judged(contest)
    held_out = contest[contest["half"] == "held_out"].sort_values("error", ascending=False)
    foreknown = held_out["candidate"].str.endswith(", start") | held_out["candidate"].isin([*BASELINES, best])
    held_out = held_out[foreknown]
    shown = dict.fromkeys([*(name for name in held_out["candidate"] if name == TEXT), best])
    figure, (errors, *planes) = style.panels(1 + len(shown), height_mm=60)
    places = np.arange(len(held_out))
    errors.plot(held_out["error"], places, "ko", markersize=2.5)
    errors.hlines(places, held_out["error_low"], held_out["error_high"], color="k", linewidth=0.8)
    alone = []
    for baseline, dash in zip(BASELINES, ("--", ":"), strict=True):
        (at,) = held_out.loc[held_out["candidate"] == baseline, "error"]
        look: Any = {"color": GREY, "linewidth": 0.7, "linestyle": dash}
        errors.axvline(at, **look, zorder=0)
        alone.append(Line2D([], [], **look, label=f"{baseline} alone"))
    errors.set_yticks(places, held_out["candidate"].str.removesuffix(", start").str.replace("_", " "))
    errors.set_xlabel("error of log₁₀ N₅₀")
    heading(errors, "at the start")
    named = by_moment(candidates)
    for ax, name in zip(planes, shown, strict=True):
        _scatter(ax, named[named["candidate"] == name], half_learned, sizes, style)
        heading(ax, str(name).replace("_", " ").replace(", start", ", at the start"))
        ax.set(xlabel="log₁₀ of the candidate", ylabel="sequences N₅₀")
    headline(figure, f"What foretells from how many sequences a lag is learned: {winner(contest) or 'no candidate'}")
    legend(figure, *style.handles(), *alone)
    return figure


def _scatter(ax: Axes, candidate: pd.DataFrame, half_learned: pd.DataFrame, sizes: np.ndarray, style: Style) -> None:
    """Settings that are learned from N = ∞; beyond the grid of N, or where the candidate is ∞, at the edges."""
    value = candidate.groupby(SETTING, sort=False)["value"].median() / np.log(10)
    table = half_learned[half_learned["reachable"] >= MOST_SEEDS].set_index(SETTING).join(value)
    finite = table.loc[np.isfinite(table["value"]), "value"]
    edge = 1.05 * finite.max() if len(finite) else 1.0
    for architecture in style.architectures:
        own = table[table.index.get_level_values("architecture") == architecture]
        x = own["value"].where(np.isfinite(own["value"]), edge)
        ax.plot(x, own["n50"].clip(sizes.min() / 2, sizes.max() * 2), **style.line(architecture) | {"linestyle": ""})
    ax.set_yscale("log")
