"""The contest again, with each choice behind it made otherwise: which one would undo its outcome?

Nothing here is judged: these choices were listed when results were known.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from learnability.stats.thresholds import LEARNED
from studies.ground_truth.contest import HALVES, contest, judged, winner

OTHER_SHARES = (0.3, 0.7)
"""r/c beyond which a lag might count as learned."""
SCORES = ["error", "better_than_lag", "better_than_parameters", "correlation", "correlation_low", "correlation_high"]


def contest_by_choice(
    trials: pd.DataFrame,
    candidates: pd.DataFrame,
    grids: Sequence[str],
    generator: Callable[[], np.random.Generator],
    as_fixed: pd.DataFrame,
) -> pd.DataFrame:
    """Table of the candidate that is judged under each choice, and of its outcome.

    Args:
        trials, candidates: as of `studies.ground_truth.contest.contest`, of all grids and after each number of updates.
        grids: those over which the contest is held.
        generator: gives the stream of resamples, the same for each choice.
        as_fixed: the table of the contest under no other choice.

    Returns:
        A row for each `choice`: the candidate that is `judged`; on the half that it is scored on, its `error`, the
        error of the lag alone, `error_of_lag`, its `correlation`, and what else a verdict asks; and `foretells`.
    """
    outcomes = {"as fixed": _outcome(as_fixed), "halves swapped": _outcome(_swapped(as_fixed))}
    for choice, (choice_trials, of_grids) in _choices(trials, grids).items():
        contest_trials, contest_candidates = (
            table[table["grid"].isin(of_grids)] for table in (choice_trials, candidates)
        )
        outcomes[choice] = _outcome(contest(contest_trials, contest_candidates, generator()))
    return pd.DataFrame([{"choice": choice, **outcome} for choice, outcome in outcomes.items()])


def _choices(trials: pd.DataFrame, grids: Sequence[str]) -> Mapping[str, tuple[pd.DataFrame, Sequence[str]]]:
    """Trials and grids under each other choice."""
    looks = sorted(trials["updates"].unique())
    last = trials[trials["updates"] == looks[-1]]
    other_shares = {
        f"learned: r/c > {share:g}": last.assign(share=last["share"] + LEARNED - share) for share in OTHER_SHARES
    }
    earlier = {f"after {updates} updates": trials[trials["updates"] == updates] for updates in looks[:-1]}
    alone = {f"{grid} alone": (last, [grid]) for grid in grids} if len(grids) > 1 else {}
    return {name: (table, grids) for name, table in {**other_shares, **earlier}.items()} | alone


def _swapped(table: pd.DataFrame) -> pd.DataFrame:
    """A table of the contest in which the candidate is chosen on the other half."""
    return table.assign(half=table["half"].replace(dict(zip(HALVES, HALVES[::-1], strict=True))))


def _outcome(table: pd.DataFrame) -> dict[str, object]:
    name = judged(table)
    held_out = table[table["half"] == "held_out"].set_index("candidate")
    scores = {score: held_out.loc[name, score] for score in SCORES}
    return {"judged": name, **scores, "error_of_lag": held_out.loc["lag", "error"], "foretells": winner(table) == name}
