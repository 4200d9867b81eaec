"""The contest: errors of all candidates by two tests, and N₅₀ over three candidates."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import label_point
from learnability.report.style import GREY, Style, Tables, heading, headline, legend
from studies.ground_truth.answers import TEXT
from studies.ground_truth.contest import ALL, BASELINES, MOST_SEEDS, SETTING, by_moment, judged, sizes_of, winner
from studies.ground_truth.tables import last_look

COLUMNS = 3
BASELINE: Mapping[str, Any] = {
    name: {"color": GREY, "linewidth": 0.7, "linestyle": dash}
    for name, dash in zip(BASELINES, ("--", ":"), strict=True)
}
"""Lines of the lag and of the number of parameters."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw errors of what is known before training, by both tests, and N₅₀ over some of the candidates."""
    contest, left_out, half_learned = tables["contest"], tables["left_out"], last_look(tables["half_learned"])
    sizes = sizes_of(tables["trials"])
    judged_name = judged(contest)
    held_out = (
        contest[contest["half"] == "held_out"]
        .set_index("candidate")
        .sort_values("error", ascending=False, kind="stable")
    )
    starts = held_out.index.str.endswith(", start")
    best = held_out.index[starts][-1]
    held_out = held_out[starts | held_out.index.isin([*BASELINES, judged_name])]
    names = dict.fromkeys([*(name for name in held_out.index if name == TEXT), best, judged_name])
    figure, axes = style.panels(2 + len(names), COLUMNS, height_mm=54)
    of_halves, of_architectures, *planes = axes
    of_all = left_out[left_out["architecture"] == ALL].set_index("candidate").loc[held_out.index]
    for ax, table in ((of_halves, held_out), (of_architectures, of_all)):
        _errors(ax, table)
    for name, words in {judged_name: " (picked)", "lag": ""}.items():
        at = held_out["error_high"][name], held_out.index.get_loc(name)
        label_point(of_halves, f"{held_out['error'][name]:.2f}{words}", at)
    limits = np.array([ax.get_xlim() for ax in (of_halves, of_architectures)])
    for ax in (of_halves, of_architectures):
        ax.set_xlim(limits[:, 0].min(), limits[:, 1].max())
    of_architectures.sharey(of_halves)
    of_architectures.tick_params(labelleft=False)
    heading(of_halves, "held-out half, as fixed")
    heading(of_architectures, "left-out architectures")
    moments = by_moment(tables["candidates"])
    for ax, name in zip(planes, names, strict=True):
        _scatter(ax, moments[moments["candidate"] == name], half_learned, sizes, style)
        heading(ax, _words(name))
        ax.set(xlabel="log₁₀ of the candidate", ylabel="sequences N₅₀")
    best_of_all = winner(contest)
    verdict = _words(best_of_all) if best_of_all else "No candidate"
    headline(figure, f"{verdict} predicts N₅₀ better than the lag alone, by the rule that was fixed")
    dashes = [Line2D([], [], **BASELINE[name], label=f"{name} alone") for name in BASELINES]
    look = {"color": "k", "linestyle": "", "marker": "o", "markersize": 2.5, "fillstyle": "none"}
    open_ended = Line2D([], [], **look, label="beyond the N tried, or ∞")  # type: ignore[arg-type]
    legend(figure, *style.handles(), *dashes, open_ended)
    return figure


def _words(candidate: str) -> str:
    return candidate.replace("_", " ").replace(", start", ", at the start")


def _errors(ax: Axes, table: pd.DataFrame) -> None:
    """Errors of candidates with their intervals, those of the baselines as lines."""
    places = np.arange(len(table))
    ax.plot(table["error"], places, "ko", markersize=2.5)
    ax.hlines(places, table["error_low"], table["error_high"], color="k", linewidth=0.8)
    for name in BASELINES:
        ax.axvline(table["error"][name], **BASELINE[name], zorder=0)
    ax.set_yticks(places, table.index.str.removesuffix(", start").str.replace("_", " "))
    ax.set_xlabel("error of log₁₀ N₅₀")


def _scatter(ax: Axes, candidate: pd.DataFrame, half_learned: pd.DataFrame, sizes: np.ndarray, style: Style) -> None:
    """Settings that are learned from N = ∞; beyond the grid of N, or where the candidate is ∞, at the edges."""
    value = candidate.groupby(SETTING, sort=False)["value"].median() / np.log(10)
    table = half_learned[half_learned["reachable"] >= MOST_SEEDS].set_index(SETTING).join(value)
    finite = table.loc[np.isfinite(table["value"]), "value"]
    edge = 1.05 * finite.max() if len(finite) else 1.0
    for architecture in style.architectures:
        rows = table[table.index.get_level_values("architecture") == architecture]
        x = rows["value"].where(np.isfinite(rows["value"]), edge)
        y = rows["n50"].clip(sizes.min() / 2, sizes.max() * 2)
        inside = np.isfinite(rows["value"]) & (y == rows["n50"])
        look = style.line(architecture) | {"linestyle": ""}
        ax.plot(x[inside], y[inside], **look)
        ax.plot(x[~inside], y[~inside], **look | {"markerfacecolor": "none", "markeredgewidth": 0.7})
    ax.set_yscale("log")
