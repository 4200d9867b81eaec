"""A pole whose velocities are not seen: how agents learn here, beside learning curves that are published.

Pleines (github.com/MarcoMeter/recurrent-ppo-truncated-bptt, commit 2824a9e) stores ten runs of an LSTM of 64 units that
learns by proximal policy optimisation, on `CartPole-v0` without its velocities: `cart_pole.csv`, whose source and
licence stand in `cart_pole.md`. The preset `full` has their settings: environments, rollouts, sequences of 8 steps, 4
mini-batches, passes, discounts, clipping, parts of the loss, hidden layers behind the cell, and AdamW with a rate that
falls from 0.0003 towards 0. What differs:

    here                                                there
    weights of gates begin at 0                         those of all parts of the cell begin orthogonal as one matrix
    biases behind the cell begin at 0                   they begin random
    entropy counts 0.001                                it falls from there to 0.0001
    sequences are cut every 8 steps                     and where an episode begins; shorter ones are filled up with
                                                        zeros, which count where advantages are standardised
    a sequence is drawn with those beside it,           alone
        of all environments
"""

from pathlib import Path

import numpy as np
import pandas as pd

CART_POLE = "CartPole"
PUBLISHED = "published"
FRAMES = 4096
"""Frames of a published rollout."""
LENGTHS = (100, 150)
"""Mean lengths of episodes; the table has after how many frames each is first reached."""
EPISODES = 100
"""Episodes over which a published length is a mean."""


def read_published() -> pd.DataFrame:
    """Mean `length` of the last 100 episodes that ended, by `run` and number of `frames`."""
    rollouts = pd.read_csv(Path(__file__).with_suffix(".csv"))
    return rollouts.assign(frames=rollouts["rollout"] * FRAMES)[["run", "frames", "length"]]


def of_last_episodes(curve: pd.DataFrame) -> pd.Series:
    """The mean length of the last 100 episodes after each rollout, or of some more, for rollouts count as a whole.

    Args:
        curve: of one agent, `episodes` and their mean `length` by rollout; where no episode ended, the length is NaN.
    """
    steps = (curve["episodes"] * curve["length"]).fillna(0).to_numpy()
    episodes, means = curve["episodes"].to_numpy(), []
    for last in range(1, len(curve) + 1):
        first = last - 1
        while first and episodes[first:last].sum() < EPISODES:
            first -= 1
        count = episodes[first:last].sum()
        means.append(steps[first:last].sum() / count if count else float("nan"))
    return pd.Series(means, curve.index)


def join_curves(curves: pd.DataFrame | None) -> pd.DataFrame:
    """Curves of `read_published` and of agents from here, told apart by `architecture`.

    Args:
        curves: of `studies.attention.games.played`, with `trained_on`, `architecture` and `seed`; None of no agent.
    """
    parts = [read_published().assign(architecture=PUBLISHED)]
    if curves is not None:
        agents = curves[curves["trained_on"] == CART_POLE].rename(columns={"seed": "run"})
        for _, rows in agents.groupby(["architecture", "run"], sort=False):
            parts.append(rows.assign(length=of_last_episodes(rows)))
    return pd.concat(parts, ignore_index=True)[["architecture", "run", "frames", "length"]]


def tabulate(curves: pd.DataFrame | None) -> pd.DataFrame:
    """Frames until a pole is balanced, and steps for which it is in the end.

    Args:
        curves: see `join_curves`.

    Returns:
        A row for `published` agents and each architecture: the number of `runs`, the `frames` of training, the mean
        `length` of `of_last_episodes`, and after how many frames this was first at least `LENGTHS` steps, as
        `frames_to_100`: the median over runs, and `_low` and `_high`, the least and the greatest. A run that does not
        get there is later than all others; a number that would be such a run's is blank.
    """
    rows = []
    for architecture, agents in join_curves(curves).groupby("architecture", sort=False):
        runs = agents.groupby("run")
        row = {"architecture": architecture, "runs": runs.ngroups, "frames": agents["frames"].max()}
        row |= _over_runs("length", runs["length"].last())
        for length in LENGTHS:
            first = agents[agents["length"] >= length].groupby("run")["frames"].min()
            row |= _over_runs(f"frames_to_{length}", first.astype(float).reindex(list(runs.groups), fill_value=np.inf))
        rows.append(row)
    return pd.DataFrame(rows).replace(np.inf, np.nan)


def _over_runs(name: str, values: pd.Series) -> dict[str, float]:
    return {name: values.median(), f"{name}_low": values.min(), f"{name}_high": values.max()}
