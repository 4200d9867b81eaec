"""Environments: what an agent sees, what it may do, what it gets for it; and many of them side by side."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Float32, Int64
from torch import Tensor

from learnability.core.streams import seed_sequence


class Outcome(NamedTuple):
    """Outcome of an action: the next observation, the reward, and true if the episode ends with it."""

    observation: Float32[np.ndarray, "input"]
    reward: float
    ended: bool


class Environment(ABC):
    """An environment of which an episode follows from its seed and the actions alone.

    Its `repr` says all that tells it from others.
    """

    @property
    @abstractmethod
    def observation_size(self) -> int:
        """Numbers in an observation."""

    @property
    @abstractmethod
    def actions(self) -> int:
        """Number of actions."""

    @abstractmethod
    def begin(self, seed: int) -> Float32[np.ndarray, "input"]:
        """The first observation of an episode."""

    @abstractmethod
    def act(self, action: int) -> Outcome:
        """Outcome of an action, in an episode that has not ended."""


class Begun(NamedTuple):
    """An episode that is not over: its number in its environment, and the actions so far. Everything else follows."""

    episode: int
    actions: list[int]


class Ended(NamedTuple):
    """An episode: the sum of its rewards, and its actions."""

    total: float
    length: int


class Environments:
    """Environments, each of which begins another episode where one ends.

    The seed of each episode is of the stream (root seed, seed, names, environment, episode).
    """

    def __init__(self, environments: Sequence[Environment], root_seed: int, seed: int, *names: str | int) -> None:
        self.environments, self._seed_of = environments, partial(episode_seed, root_seed, seed, *names)
        self.ended: list[Ended] = []
        self.begun: list[Begun] = []
        self.resume([Begun(0, []) for _ in environments])

    def resume(self, begun: Sequence[Begun]) -> None:
        """Be where such episodes are, by the same actions."""
        self.begun = [Begun(start.episode, []) for start in begun]
        self._views = [self._begin(place) for place in range(len(begun))]
        self._totals = [0.0 for _ in begun]
        for place, start in enumerate(begun):
            for action in start.actions:
                self._act(place, action)

    @property
    def observations(self) -> Float32[Tensor, "environment input"]:
        """Present observations."""
        return torch.from_numpy(np.stack(self._views))

    def act(
        self, actions: Int64[Tensor, "environment"]
    ) -> tuple[Float[Tensor, "environment"], Bool[Tensor, "environment"]]:
        """Rewards, and where an episode ended, so that what is seen now is the first of another; `ended` has it."""
        outcomes = [self._act(place, action) for place, action in enumerate(actions.tolist())]
        for place, outcome in enumerate(outcomes):
            if outcome.ended:
                episode = self.begun[place]
                self.ended.append(Ended(self._totals[place], len(episode.actions)))
                self.begun[place], self._totals[place] = Begun(episode.episode + 1, []), 0.0
                self._views[place] = self._begin(place)
        return torch.tensor([outcome.reward for outcome in outcomes]), torch.tensor(
            [outcome.ended for outcome in outcomes]
        )

    def take_ended(self) -> list[Ended]:
        """The episodes that ended since the last call."""
        episodes, self.ended = self.ended, []
        return episodes

    def _begin(self, place: int) -> np.ndarray:
        return self.environments[place].begin(self._seed_of(place, self.begun[place].episode))

    def _act(self, place: int, action: int) -> Outcome:
        outcome = self.environments[place].act(action)
        self.begun[place].actions.append(action)
        self._views[place], self._totals[place] = outcome.observation, self._totals[place] + outcome.reward
        return outcome


def episode_seed(root_seed: int, seed: int, *names: str | int) -> int:
    """Seed of an episode, of the stream of its names."""
    return int(seed_sequence(root_seed, seed, "episode", *names).generate_state(1)[0])
