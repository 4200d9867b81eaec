"""A pole on a cart, as the package `gymnasium` has it, whose velocities are not seen."""

import gymnasium
import numpy as np
from jaxtyping import Float32

from learnability.reinforcement.environments import Environment, Outcome

REWARD = 0.01
"""Reward of each step, so that values are of the order of 1."""


class CartPole(Environment):
    """An agent pushes the cart to the left or to the right, so that the pole stays up (Barto, Sutton & Anderson 1983).

    An observation is the position of the cart and the angle of the pole, without their velocities: the last
    observation alone does not tell how to act. A step gives 0.01; an episode ends where the pole falls by more than 12°
    or the cart has left its track, or after `limit` steps.

    Args:
        limit: steps of an episode, 200 in `CartPole-v0`.
    """

    def __init__(self, limit: int = 200) -> None:
        self.limit = limit
        self._environment = gymnasium.make("CartPole-v1", max_episode_steps=limit, disable_env_checker=True)

    def __repr__(self) -> str:
        return f"CartPole({self.limit})"

    @property
    def observation_size(self) -> int:
        """The position and the angle."""
        return 2

    @property
    def actions(self) -> int:
        """Left and right."""
        return 2

    def begin(self, seed: int) -> Float32[np.ndarray, "input"]:
        return self._observe(self._environment.reset(seed=seed)[0])

    def act(self, action: int) -> Outcome:
        state, _, terminated, truncated, _ = self._environment.step(action)
        return Outcome(self._observe(state), REWARD, bool(terminated or truncated))

    @staticmethod
    def _observe(state: np.ndarray) -> Float32[np.ndarray, "input"]:
        return state[[0, 2]].astype(np.float32)
