"""The contest: errors of all candidates, and the window of the paper's text beside the best candidate."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learnability.report.style import Style
from studies.ground_truth.contest import BASELINES, SETTING, by_moment

MARKERS = "osD^vP*Xd"


def draw(contest: pd.DataFrame, half_learned: pd.DataFrame, candidates: pd.DataFrame, style: Style) -> Figure:
    """Draw errors on the held-out half, and N₅₀ over two of the candidates.

    Args:
        contest: of `studies.ground_truth.contest.contest`.
        half_learned, candidates: N₅₀ and, as `by_moment` takes them, candidates of the same settings.
    """
    held_out = contest[contest["half"] == "held_out"].sort_values("error", ascending=False)
    figure, (errors, *planes) = style.panels(3, height_mm=60)
    places = np.arange(len(held_out))
    ends = np.abs(held_out[["error_low", "error_high"]].to_numpy().T - held_out["error"].to_numpy())
    errors.errorbar(held_out["error"], places, xerr=ends, fmt="ko", markersize=2.5, linewidth=0.8)
    for baseline, line in zip(BASELINES, ("--", ":"), strict=True):
        (at,) = held_out.loc[held_out["candidate"] == baseline, "error"]
        errors.axvline(at, color="0.6", linewidth=0.7, linestyle=line, zorder=0)
    errors.set_yticks(places, held_out["candidate"].str.replace("_", " "))
    errors.set_xlabel("error of log₁₀ N₅₀ on held-out settings")
    named = by_moment(candidates)
    (best, *_) = held_out.loc[~held_out["candidate"].isin(BASELINES)].iloc[::-1]["candidate"]
    for ax, name in zip(planes, ("paper, start", best), strict=True):
        _scatter(ax, named[named["candidate"] == name], half_learned, style)
        ax.set_xlabel(f"{name.replace('_', ' ')} (log₁₀)")
        ax.set_ylabel("sequences N₅₀")
    planes[0].legend(loc="lower center", bbox_to_anchor=(0.5, 1.1), ncols=3)
    return figure


def _scatter(ax: Axes, candidate: pd.DataFrame, half_learned: pd.DataFrame, style: Style) -> None:
    """Settings that are learned from N = ∞; those beyond the grid of N lie at its edges."""
    value = candidate.groupby(SETTING, sort=False)["value"].median() / np.log(10)
    table = half_learned[half_learned["reachable"] >= 0.5].set_index(SETTING).join(value)
    finite = table.loc[np.isfinite(table["n50"]) & (table["n50"] > 0), "n50"]
    low, high = (finite.min() / 2, finite.max() * 2) if len(finite) else (1, 2)
    for marker, architecture in zip(MARKERS, style.architectures, strict=False):
        own = table[table.index.get_level_values("architecture") == architecture]
        colour, label = style.colours[architecture], style.labels[architecture]
        x = own["value"].where(np.isfinite(own["value"]))
        ax.plot(x, own["n50"].clip(low, high), marker, color=colour, markersize=3.5, label=label)
    ax.set_yscale("log")
