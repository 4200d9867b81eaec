"""Tables of the trials: N₅₀, what was learned, the contest, and growth with the lag."""

from collections.abc import Sequence
from functools import partial

import pandas as pd

from learnability.core.streams import numpy_generator
from studies.ground_truth.choices import contest_by_choice
from studies.ground_truth.contest import MOST_SEEDS, contest, half_learned, random_halves, sizes_of
from studies.ground_truth.growth import growth, learned_share


def last_look(table: pd.DataFrame) -> pd.DataFrame:
    """Rows after all updates."""
    return table[table["updates"] == table["updates"].max()]


def tabulate(
    trials: pd.DataFrame, candidates: pd.DataFrame, grids: Sequence[str], root_seed: int
) -> dict[str, pd.DataFrame]:
    """All tables.

    Args:
        trials: of `studies.ground_truth.trials.try_to_learn`, of all settings.
        candidates: of `studies.ground_truth.candidates.measure_candidates`, likewise.
        grids: those over which the contest is held.
        root_seed: names the streams of resamples.

    Returns:
        `half_learned`, after each number of updates, `learned_share`, `contest`, `random_halves`,
        `contest_by_choice` and `growth`.
    """
    last = last_look(trials)
    tried, foretelling = (table[table["grid"].isin(grids)] for table in (last, candidates))
    at_looks = [
        half_learned(rows, numpy_generator(root_seed, 0, "seeds")).assign(updates=updates)
        for updates, rows in trials.groupby("updates")
    ]
    n50 = at_looks[-1][at_looks[-1]["grid"].isin(grids) & (at_looks[-1]["reachable"] >= MOST_SEEDS)]
    names = candidates["candidate"].unique().tolist()
    resamples = partial(numpy_generator, root_seed, 0, "contest")
    return {
        "half_learned": pd.concat(at_looks, ignore_index=True),
        "learned_share": learned_share(last),
        "contest": contest(tried, foretelling, resamples()),
        "random_halves": random_halves(tried, foretelling, numpy_generator(root_seed, 0, "random halves")),
        "contest_by_choice": contest_by_choice(trials, candidates, grids, resamples),
        "growth": growth(n50, foretelling, sizes_of(tried), names),
    }
