"""The contest: errors of all candidates, and the window of the paper's text beside the best candidate."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learnability.report.style import GREY, Style, heading, headline, legend
from studies.ground_truth.contest import BASELINES, SETTING, by_moment, winner

TEXT = "paper, start"
"""Candidate of the paper's text, drawn where its reading is reported."""


def draw(contest: pd.DataFrame, half_learned: pd.DataFrame, candidates: pd.DataFrame, style: Style) -> Figure:
    """Draw errors on the held-out half, and N₅₀ over two of the candidates.

    Args:
        contest: of `studies.ground_truth.contest.contest`.
        half_learned, candidates: N₅₀ and, as `by_moment` takes them, candidates of the same settings.
    """
    held_out = contest[contest["half"] == "held_out"].sort_values("error", ascending=False)
    (best, *_) = held_out.loc[~held_out["candidate"].isin(BASELINES)].iloc[::-1]["candidate"]
    shown = dict.fromkeys([*(name for name in held_out["candidate"] if name == TEXT), best])
    figure, (errors, *planes) = style.panels(1 + len(shown), height_mm=60)
    places = np.arange(len(held_out))
    ends = np.abs(held_out[["error_low", "error_high"]].to_numpy().T - held_out["error"].to_numpy())
    errors.errorbar(held_out["error"], places, xerr=ends, fmt="ko", markersize=2.5, linewidth=0.8)
    for baseline, line in zip(BASELINES, ("--", ":"), strict=True):
        (at,) = held_out.loc[held_out["candidate"] == baseline, "error"]
        errors.axvline(at, color=GREY, linewidth=0.7, linestyle=line, zorder=0)
    errors.set_yticks(places, held_out["candidate"].str.replace("_", " "))
    errors.set_xlabel("error of log₁₀ N₅₀")
    heading(errors, "on held-out settings; dashed: by the lag alone, dotted: by the parameters")
    named = by_moment(candidates)
    for ax, name in zip(planes, shown, strict=True):
        _scatter(ax, named[named["candidate"] == name], half_learned, style)
        heading(ax, str(name).replace("_", " "))
        ax.set(xlabel="log₁₀ of the candidate", ylabel="sequences N₅₀")
    headline(
        figure, f"What foretells from how many sequences a lag is learned: {winner(contest) or 'nothing measured'}"
    )
    legend(figure, *style.handles(), ncols=3)
    return figure


def _scatter(ax: Axes, candidate: pd.DataFrame, half_learned: pd.DataFrame, style: Style) -> None:
    """Settings that are learned from N = ∞; those beyond the grid of N lie at its edges."""
    value = candidate.groupby(SETTING, sort=False)["value"].median() / np.log(10)
    table = half_learned[half_learned["reachable"] >= 0.5].set_index(SETTING).join(value)
    finite = table.loc[np.isfinite(table["n50"]) & (table["n50"] > 0), "n50"]
    low, high = (finite.min() / 2, finite.max() * 2) if len(finite) else (1, 2)
    for architecture in style.architectures:
        own = table[table.index.get_level_values("architecture") == architecture]
        x = own["value"].where(np.isfinite(own["value"]))
        ax.plot(x, own["n50"].clip(low, high), **style.line(architecture) | {"linestyle": ""})
    ax.set_yscale("log")
