"""MiniGrid (Chevalier-Boisvert et al. 2023, arXiv 2306.13831), as the package `minigrid` has it.

An agent sees the 7 × 7 squares before it, no further than walls and doors let it; it turns, goes, takes, drops, opens,
and says that it is done. Success after t of T steps gives 1 - 0.9 t/T, all else 0; an episode ends there, by a mistake
that cannot be mended, or after T steps.
"""

import gymnasium
import minigrid  # noqa: F401  registers its environments
import numpy as np
from jaxtyping import Float32
from minigrid.core.constants import COLOR_TO_IDX, OBJECT_TO_IDX, STATE_TO_IDX

from learnability.core.errors import require_one_of
from learnability.reinforcement.environments import Environment, Outcome

KINDS = (len(OBJECT_TO_IDX), len(COLOR_TO_IDX), len(STATE_TO_IDX))
"""Kinds of a square: objects there, colours, and states of doors."""
WORDS = (*COLOR_TO_IDX, *OBJECT_TO_IDX)
"""Words of a mission that tell it from others."""
_PREFIX, _SUFFIX = "MiniGrid-", "-v0"


def grid_names() -> list[str]:
    """Names of environments without what all of them share: `DoorKey-5x5`."""
    return sorted(
        name[len(_PREFIX) : -len(_SUFFIX)]
        for name in gymnasium.registry
        if name.startswith(_PREFIX) and name.endswith(_SUFFIX)
    )


class Grid(Environment):
    """An environment of MiniGrid.

    An observation is one-hot in the kind, the colour and the state of each square that is seen, and then has a 1 for
    each of the `WORDS` that the mission has.

    Args:
        name: as `grid_names` has it.
        mission: whether the agent reads it; if not, these numbers are missing.

    Raises:
        InputError: for a name that there is not.
    """

    def __init__(self, name: str, *, mission: bool = True) -> None:
        require_one_of("environment", name, grid_names())
        self.name, self.mission = name, mission
        self._environment = gymnasium.make(f"{_PREFIX}{name}{_SUFFIX}", disable_env_checker=True).unwrapped
        squares = int(np.prod(self._environment.observation_space["image"].shape[:2]))  # type: ignore[index]
        first = np.arange(squares)[:, None] * sum(KINDS) + np.cumsum((0, *KINDS[:-1]))
        self._first, self._size = first.ravel(), squares * sum(KINDS)

    def __repr__(self) -> str:
        return f"Grid({self.name!r}, mission={self.mission})"

    @property
    def observation_size(self) -> int:
        """Numbers for squares, and for words."""
        return self._size + len(WORDS) * self.mission

    @property
    def actions(self) -> int:
        """Number of actions, 7, also where some have no effect."""
        return int(self._environment.action_space.n)  # type: ignore[attr-defined]

    def begin(self, seed: int) -> Float32[np.ndarray, "input"]:
        return self._encode(self._environment.reset(seed=seed)[0])

    def act(self, action: int) -> Outcome:
        view, reward, terminated, truncated, _ = self._environment.step(action)
        return Outcome(self._encode(view), float(reward), bool(terminated or truncated))

    def _encode(self, view: dict) -> Float32[np.ndarray, "input"]:
        numbers = np.zeros(self.observation_size, np.float32)
        numbers[self._first + view["image"].ravel()] = 1
        if self.mission:
            mission_words = view["mission"].split()
            numbers[self._size :] = [word in mission_words for word in WORDS]
        return numbers
