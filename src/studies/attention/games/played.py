"""Agents that learn on a small grid, and are put on it and on a larger one."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from learnability.cells import Parameters
from learnability.reinforcement.agent import Agent
from learnability.reinforcement.grids import Grid
from learnability.reinforcement.ppo import PPOSettings
from learnability.reinforcement.rollouts import play
from learnability.reinforcement.training import train_agent
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
) -> tuple[Parameters, pd.DataFrame, pd.DataFrame]:
    """Parameters and learning curve of `train_agent`, and episodes that were played afterwards.

    Args:
        environment: of training, a key of `TESTED_ON`.
        units: H.
        episodes: on each of the two grids.
        mission: whether the agent reads it.

    Returns:
        Parameters, the curve, and of each episode `on`, train or test, its `return` and `length`.
    """
    grids = {name: Grid(name, mission=mission) for name in (environment, TESTED_ON[environment])}
    agent = Agent.build(architecture, grids[environment], units)
    training = [Grid(environment, mission=mission) for _ in range(ppo.environments)]
    parameters, curve = train_agent(agent, training, optimizer, ppo, frames, root_seed, seed, checkpoint, progress)
    parts = []
    for on, name in zip(("train", "test"), grids, strict=True):
        played = play(agent, parameters, [Grid(name, mission=mission) for _ in range(episodes)], root_seed, seed, on)
        parts.append(pd.DataFrame(played, columns=["return", "length"]).assign(on=on))
    return parameters, curve, pd.concat(parts, ignore_index=True)[["on", "return", "length"]]
