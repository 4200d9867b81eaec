"""Experience of an agent: stretches of all environments to learn from, and whole episodes to judge it by."""

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor
from torch.utils._pytree import tree_map

from learnability.cells import Parameters
from learnability.core.streams import numpy_generator
from learnability.reinforcement.agent import Agent
from learnability.reinforcement.environments import Ended, Environment, Environments, episode_seed


class Rollout(NamedTuple):
    """Steps of environments side by side, with the agent's log-probabilities and values at each.

    Args:
        begins: true if the episode begins with this observation.
        ended: true if it ends with this action.
        states: before the step, of every step: s_{t-1}, with what it may have of an episode that is over.
    """

    observations: Float[Tensor, "time environment input"]
    begins: Bool[Tensor, "time environment"]
    actions: Int64[Tensor, "time environment"]
    log_probabilities: Float[Tensor, "time environment"]
    values: Float[Tensor, "time environment"]
    rewards: Float[Tensor, "time environment"]
    ended: Bool[Tensor, "time environment"]
    states: list[Any]

    def segments(self, length: int) -> "Iterator[Rollout]":
        """Parts of so many steps, the last perhaps shorter."""
        for start in range(0, len(self.rewards), length):
            yield Rollout._make(column[start : start + length] for column in self)


class Next(NamedTuple):
    """End of a rollout: the state behind it, the environments that begin an episode there, and the values there."""

    state: Any
    begins: Bool[Tensor, "environment"]
    values: Float[Tensor, "environment"]


@torch.no_grad()
def collect(
    agent: Agent,
    parameters: Parameters,
    environments: Environments,
    state: Any,
    begins: Bool[Tensor, "environment"],
    steps: int,
    generator: torch.Generator,
) -> tuple[Rollout, Next]:
    """`steps` of each environment, its actions drawn from the policy.

    Args:
        state, begins: where the rollout before ended; at first any state, and all begin.
    """
    parameters, rows = agent.network.cell.prepared(parameters), []
    observations = environments.observations.to(parameters["w"])
    for _ in range(steps):
        step = agent.step(parameters, state, observations, begins)
        actions = step.drawn(generator)
        rewards, ends = environments.act(actions)
        estimates = step.log_probability(actions), step.value
        rows.append((observations, begins, actions, *estimates, rewards.to(step.value), ends, state))
        observations, begins, state = environments.observations.to(parameters["w"]), ends, step.state
    *columns, states = zip(*rows, strict=True)
    values = agent.step(parameters, state, observations, begins).value
    return Rollout._make([*map(torch.stack, columns), list(states)]), Next(state, begins, values)


@torch.no_grad()
def play(
    agent: Agent, parameters: Parameters, environments: Sequence[Environment], root_seed: int, seed: int, name: str
) -> list[Ended]:
    """Play an episode of each environment, its actions drawn from the policy; none is left out, however long.

    Args:
        name: of the streams of actions and episodes.
    """
    generator = action_generator(root_seed, seed, name)
    parameters = agent.network.cell.prepared(parameters)
    seeds = [episode_seed(root_seed, seed, name, place) for place in range(len(environments))]
    views = [environment.begin(start) for environment, start in zip(environments, seeds, strict=True)]
    active, total, length = list(range(len(environments))), [0.0] * len(environments), [0] * len(environments)
    state, begins = agent.cell.initial_state(_stack(views, parameters)), torch.ones(len(active), dtype=torch.bool)
    while active:
        step = agent.step(parameters, state, _stack([views[place] for place in active], parameters), begins)
        is_active = []
        for place, action in zip(active, step.drawn(generator).tolist(), strict=True):
            views[place], reward, is_end = environments[place].act(action)
            total[place], length[place] = total[place] + reward, length[place] + 1
            is_active.append(not is_end)
        active = [place for place, goes_on in zip(active, is_active, strict=True) if goes_on]
        state = tree_map(itemgetter(torch.tensor(is_active)), step.state)
        begins = torch.zeros(len(active), dtype=torch.bool)
    return [Ended(*episode) for episode in zip(total, length, strict=True)]


def action_generator(root_seed: int, seed: int, *names: str | int) -> torch.Generator:
    """Generator of actions, of a stream of its own."""
    number = numpy_generator(root_seed, seed, "actions", *names).integers(2**63)
    return torch.Generator().manual_seed(int(number))


def _stack(views: Sequence[np.ndarray], parameters: Parameters) -> Float[Tensor, "environment input"]:
    return torch.from_numpy(np.stack(views)).to(parameters["w"])
