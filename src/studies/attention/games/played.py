"""Agents that learn on a small grid, and are put on it and on a larger one; or that learn to balance a pole."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from learnability.cells import Parameters
from learnability.reinforcement.agent import Agent
from learnability.reinforcement.cart_pole import CartPole
from learnability.reinforcement.environments import Environment
from learnability.reinforcement.grids import Grid
from learnability.reinforcement.rollouts import play
from learnability.reinforcement.settings import PPOSettings
from learnability.reinforcement.training import train_agent
from studies.attention.games.cart_pole import CART_POLE
from studies.attention.games.paper import TESTED_ON


def learn_and_play(
    architecture: Mapping[str, Any],
    environment: str,
    units: int,
    optimizer: Mapping[str, Any],
    ppo: PPOSettings,
    frames: int,
    episodes: int,
    mission: bool,
    root_seed: int,
    seed: int,
    checkpoint: Path,
    progress: Callable[[dict[str, float]], None],
    head_units: int = 0,
) -> tuple[Parameters, pd.DataFrame, pd.DataFrame]:
    """Parameters and learning curve of `train_agent`, and episodes that were played afterwards.

    Args:
        environment: of training, a key of `TESTED_ON` or `CART_POLE`, of which there is no larger one.
        units: H.
        episodes: on each of the two grids, or on the pole.
        mission: whether the agent reads it.
        head_units: see `Agent.build`.

    Returns:
        Parameters, the curve, and of each episode `on`, train or test, its `return` and `length`.
    """
    names = {"train": environment} | ({"test": TESTED_ON[environment]} if environment in TESTED_ON else {})
    training = _environments(environment, ppo.environments, mission)
    agent = Agent.build(architecture, training[0], units, head_units)
    parameters, curve = train_agent(agent, training, optimizer, ppo, frames, root_seed, seed, checkpoint, progress)
    parts = []
    for on, name in names.items():
        games = play(agent, parameters, _environments(name, episodes, mission), root_seed, seed, on)
        parts.append(pd.DataFrame(games, columns=["return", "length"]).assign(on=on))
    return parameters, curve, pd.concat(parts, ignore_index=True)[["on", "return", "length"]]


def _environments(name: str, number: int, mission: bool) -> list[Environment]:
    return [CartPole() if name == CART_POLE else Grid(name, mission=mission) for _ in range(number)]
