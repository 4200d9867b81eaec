"""Tables of the trials: N₅₀, what was learned, the contest, growth with the lag, and larger networks."""

from collections.abc import Mapping, Sequence
from functools import partial

import pandas as pd

from learnability.core.streams import numpy_generator
from studies.ground_truth.choices import contest_by_choice
from studies.ground_truth.contest import (
    MOST_SEEDS,
    contest,
    contest_by_seeds,
    half_learned,
    left_out,
    random_halves,
    sizes_of,
)
from studies.ground_truth.growth import growth, learned_share, size_ratios


def last_look(table: pd.DataFrame) -> pd.DataFrame:
    """Rows after all updates."""
    return table[table["updates"] == table["updates"].max()]


def tabulate(
    trials: pd.DataFrame,
    candidates: pd.DataFrame,
    grids: Sequence[str],
    durations: Mapping[str, int],
    root_seed: int,
) -> dict[str, pd.DataFrame]:
    """All tables.

    Args:
        trials: tables of `studies.ground_truth.trials.try_to_learn` for all settings, in one.
        candidates: tables of `studies.ground_truth.candidates.measure_candidates` for all settings, in one.
        grids: those over which the contest is held.
        durations: T, the steps of a sequence, of every grid.
        root_seed: names the streams of resamples.

    Returns:
        `half_learned`, after each number of updates, with N₅₀ (T - ℓ) as `n50_steps`; `learned_share`, `contest`,
        `contest_by_choice`, `contest_by_seeds`, `random_halves`, `left_out`, `growth` and `size_ratios`.
    """
    last = last_look(trials)
    contest_trials, contest_candidates = (table[table["grid"].isin(grids)] for table in (last, candidates))
    at_looks = [
        _in_steps(half_learned(rows, numpy_generator(root_seed, 0, "seeds")), durations).assign(updates=updates)
        for updates, rows in trials.groupby("updates")
    ]
    n50 = at_looks[-1][at_looks[-1]["grid"].isin(grids) & (at_looks[-1]["reachable"] >= MOST_SEEDS)]
    names = candidates["candidate"].unique().tolist()
    resamples = partial(numpy_generator, root_seed, 0, "contest")
    as_fixed = contest(contest_trials, contest_candidates, resamples())
    return {
        "half_learned": pd.concat(at_looks, ignore_index=True),
        "learned_share": learned_share(last),
        "contest": as_fixed,
        "contest_by_choice": contest_by_choice(trials, candidates, grids, resamples, as_fixed),
        "contest_by_seeds": contest_by_seeds(contest_trials, contest_candidates),
        "random_halves": random_halves(
            contest_trials, contest_candidates, numpy_generator(root_seed, 0, "random halves")
        ),
        "left_out": left_out(contest_trials, contest_candidates, numpy_generator(root_seed, 0, "left out")),
        "growth": growth(n50, contest_candidates, sizes_of(contest_trials), names),
        "size_ratios": size_ratios(last, durations, numpy_generator(root_seed, 0, "sizes")),
    }


def _in_steps(half_learned: pd.DataFrame, durations: Mapping[str, int]) -> pd.DataFrame:
    """N₅₀ (T - ℓ) beside N₅₀: of a sequence's T steps, those by which an input ℓ steps before has been seen."""
    steps = half_learned["grid"].map(durations) - half_learned["lag"]
    return half_learned.assign(
        **{f"n50_steps{end}": half_learned[f"n50{end}"] * steps for end in ("", "_low", "_high")}
    )
