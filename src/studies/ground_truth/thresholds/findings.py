"""Numbers of sequences from which lags are learned."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from learnability.report.findings import Finding, listed, number
from learnability.report.style import Tables
from studies.ground_truth.answers import n50_cell, size_columns
from studies.ground_truth.contest import MOST_SEEDS, SETTING
from studies.ground_truth.tables import last_look

MORE = 0.1
"""Of r/c, beyond which the page names a difference."""
RISING = 0.05
"""Of r/c over the second half of the updates, beyond which a training still rises."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """N₅₀ of each architecture."""
    of_grids = tables["half_learned"][tables["half_learned"]["grid"] != "six_lags"]
    last = last_look(of_grids)
    rows = {
        f"{grid}, lag {lag}": shown.set_index("architecture").apply(n50_cell, axis=1).rename(labels)
        for (grid, lag), shown in last.groupby(["grid", "lag"], sort=False)
    }
    learned = last[last["learned"] >= MOST_SEEDS]
    inside = learned.loc[(learned["n50"] > 0) & np.isfinite(learned["n50"]), "n50"]
    below, beyond = (learned["n50"] == 0).sum(), np.isinf(learned["n50"]).sum()
    shares = tables["learned_share"]
    of_most = shares[size_columns(shares)[:-1]].ffill(axis=1).iloc[:, -1]
    repeated = shares[of_most - shares["N = ∞"] > MORE]
    updates = int(last["updates"].max())
    seeds, fewer = last["seeds"].max(), last["seeds"].min()
    return Finding(
        "From how many sequences is a lag learned?",
        f"From {_range(learned['n50'], _tried(shares))} sequences, in the {len(learned)} of {len(last)} settings that "
        "learn at all.",
        f"""
            A setting is a grid, an architecture and a lag; training takes {updates:,} updates. A lag is learned at all
            if at least half of the seeds learn it from sequences none of which is shown twice (N = ∞), or from any N
            that was tried. Of the {len(learned)} settings in which it is, {below} need less than the smallest N,
            {beyond} more than the largest, and {len(inside)} have an N₅₀ between, of {number(inside.min())} to
            {number(inside.max())}. A dash stands for the others. {_of_rising(of_grids)}
            {_of_repetition([_named(row, labels) for row in repeated.to_dict("records")])}
            {f"There are {seeds} seeds." if seeds == fewer else f"There are {fewer} to {seeds} seeds."} In brackets, a
            95 % interval that resamples seeds; < and > are beyond the N that were tried.
        """,
        rows,
        """
            `ground_truth.updates`: what is not learned may be not learned yet, from fresh sequences above all. The
            table has N₅₀ after half of them, too.
        """,
        ("", "phases_dense"),
    )


def _tried(shares: pd.DataFrame) -> tuple[float, float]:
    """The smallest and the largest N that were tried, but for ∞, in grids of one lag at a time."""
    sizes = [float(name.removeprefix("N = ")) for name in size_columns(shares[shares["grid"] != "six_lags"])[:-1]]
    return min(sizes), max(sizes)


def _range(n50: "pd.Series[float]", tried: tuple[float, float]) -> str:
    """From the least to the greatest N₅₀, either of which may be beyond the N that were tried."""
    least = f"less than {tried[0]:g}" if (n50 == 0).any() else number(n50.min())
    return f"{least} to {f'more than {tried[1]:g}' if np.isinf(n50).any() else number(n50.max())}"


def _named(row: Mapping[Any, Any], labels: Mapping[str, str]) -> str:
    return f"{labels[row['architecture']]} at lag {row['lag']} ({row['grid']})"


def _of_rising(half_learned: pd.DataFrame) -> str:
    """What r/c from N = ∞ did over the second half of the updates, where a lag is not learned."""
    looks = half_learned.pivot(index=SETTING, columns="updates", values="fresh_share")
    never = last_look(half_learned).set_index(SETTING)["learned"] < MOST_SEEDS
    rises = (looks.iloc[:, -1] - looks.iloc[:, 0])[never.reindex(looks.index)]
    if rises.empty:
        return ""
    first, last = looks.columns.min(), looks.columns.max()
    return f"""
        In {(rises > RISING).sum()} of these {len(rises)} the response r/c from N = ∞ still rises by more than
        {RISING:g} from update {first:,} to update {last:,}: they are not learned yet, rather than not learned.
    """


def _of_repetition(settings: Sequence[str]) -> str:
    if not settings:
        return ""
    return f"""
        In {listed(settings)} the largest N teaches at least {MORE:g} of c more than fresh sequences in as many updates:
        training on fresh ones is still on a plateau.
    """
