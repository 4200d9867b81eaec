"""Environments of MiniGrid beside what the package shows of them."""

import numpy as np
import pytest

from learnability.core.errors import InputError
from learnability.reinforcement.grids import KINDS, WORDS, Grid, grid_names

FORWARD, RIGHT = 2, 1


def test_the_way_to_the_goal_is_rewarded_by_its_length() -> None:
    grid = Grid("Empty-5x5")
    grid.begin(0)
    outcomes = [grid.act(action) for action in (FORWARD, FORWARD, RIGHT, FORWARD, FORWARD)]
    assert [outcome.ended for outcome in outcomes] == [False] * 4 + [True]
    assert [outcome.reward for outcome in outcomes] == [0, 0, 0, 0, pytest.approx(1 - 0.9 * 5 / 100)]


def test_an_episode_ends_with_the_steps_it_may_take() -> None:
    grid = Grid("Empty-5x5")
    grid.begin(0)
    ends = [grid.act(RIGHT).ended for _ in range(100)]
    assert ends == [False] * 99 + [True]


def test_an_observation_says_all_that_is_seen() -> None:
    grid, plain = Grid("GoToDoor-5x5"), Grid("GoToDoor-5x5", mission=False)
    observation = grid.begin(3)
    picture = grid._environment.gen_obs()["image"]
    squares = observation[: -len(WORDS)].reshape(49, sum(KINDS))
    parts = np.split(squares, np.cumsum(KINDS)[:-1], axis=1)
    codes = np.stack([part.argmax(1) for part in parts], 1).reshape(picture.shape)
    assert all((part.sum(1) == 1).all() for part in parts)
    assert (codes == picture).all()
    words = {word for word, number in zip(WORDS, observation[-len(WORDS) :], strict=True) if number}
    mission = grid._environment.mission
    assert mission == f"go to the {' '.join(word for word in WORDS if word in words)}" and "door" in words
    assert (plain.begin(3) == observation[: -len(WORDS)]).all()
    assert (grid.observation_size, plain.observation_size) == (len(observation), len(observation) - len(WORDS))


def test_an_episode_follows_from_its_seed_and_actions() -> None:
    grid, twin = Grid("Fetch-5x5-N2"), Grid("Fetch-5x5-N2")
    twin.begin(7)
    for seed in (1, 2):
        assert (grid.begin(seed) == twin.begin(seed)).all()
        for action in (0, 2, 1, 2, 2):
            first, second = grid.act(action), twin.act(action)
            assert (first.observation == second.observation).all() and first[1:] == second[1:]


def test_an_unknown_environment_is_told_in_one_line() -> None:
    assert {"DoorKey-5x5", "RedBlueDoors-6x6", "MemoryS13"} <= set(grid_names())
    with pytest.raises(InputError, match=r"'environment' must be one of .*DoorKey-5x5.* Got 'DoorKey-4x4'"):
        Grid("DoorKey-4x4")
