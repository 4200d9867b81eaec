"""Chaotic series against literal integration and known exponents; NARMA-10 against its formula."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from learnability.core.errors import InputError
from learnability.tasks import TASKS, Task, build_task
from learnability.tasks.series import Lorenz, MackeyGlass, Narma

SERIES = ["lorenz", "mackey_glass", "narma"]


@pytest.mark.parametrize("name", SERIES)
def test_a_series_is_a_task(name: str) -> None:
    task = build_task({"name": name, "duration": 30}, 1, 0)
    assert isinstance(task, Task) and type(task) is TASKS[name]
    one, again, other = (task.generate(split, 3) for split in ("training", "training", "validation"))
    np.testing.assert_array_equal(one.inputs, again.inputs)
    assert not np.allclose(one.inputs, other.inputs)
    assert one.inputs.shape == (3, 30, task.input_size)
    assert one.targets.shape == ((3, 30) if name == "narma" else one.inputs.shape)
    if name != "narma":
        np.testing.assert_array_equal(one.inputs[:, 1:], one.targets[:, :-1])
    with pytest.raises(InputError, match=r"'task.duration' must be at least 1. Got 0"):
        build_task({"name": name, "duration": 0}, 1, 0)


@pytest.mark.parametrize(
    ("name", "key", "needed"), [("lorenz", "step", "above 0"), ("mackey_glass", "delay", "at least 1")]
)
def test_what_no_flow_has_is_named(name: str, key: str, needed: str) -> None:
    with pytest.raises(InputError, match=f"'task.{key}' must be {needed}. Got 0"):
        build_task({"name": name, "duration": 9, key: 0}, 1, 0)


@pytest.mark.parametrize("kind", [Lorenz, MackeyGlass])
def test_values_are_centred_and_scaled(kind: type) -> None:
    values = kind(400, 1, 0).generate("training", 30).inputs
    np.testing.assert_allclose(values.mean((0, 1)), 0, atol=0.1)
    np.testing.assert_allclose(values.std((0, 1)), 1, atol=0.1)


def test_steps_of_lorenz_are_those_of_a_kept_library() -> None:
    start = np.array([1.0, 2.0, 20.0])

    def slope(_, state):
        x, y, z = state
        return 10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z

    expected = solve_ivp(slope, (0, 0.5), start, rtol=1e-10, atol=1e-10).y[:, -1]
    states, task = start[None], Lorenz(1, 1, 0, step=0.005)
    for _ in range(100):
        states = task.advance(states)
    np.testing.assert_allclose(states[0], expected, rtol=1e-5)


def test_steps_of_mackey_glass_are_those_of_tiny_steps() -> None:
    task, tiny = MackeyGlass(1, 1, 0), 4000
    states, past = np.full((1, 171), 1.1), [1.1] * (17 * tiny + 1)
    for _ in range(3):
        states = task.advance(states)
    for _ in range(3 * tiny):  # by Euler's method
        past.append(past[-1] + (0.2 * past[-17 * tiny - 1] / (1 + past[-17 * tiny - 1] ** 10) - 0.1 * past[-1]) / tiny)
    assert states[0, -1] == pytest.approx(past[-1], rel=1e-4)


def test_exponents_are_those_of_the_literature() -> None:
    assert Lorenz(1, 1, 0).lyapunov_exponent(3000, 50) / 0.02 == pytest.approx(0.906, abs=0.04)
    assert 0.003 < MackeyGlass(1, 1, 0).lyapunov_exponent(500, 50) < 0.009


def test_narma_is_its_formula_and_stays_bounded() -> None:
    task = Narma(40, 1, 0)
    x = np.random.default_rng(2).uniform(0, 0.5, 40)
    y = np.zeros(60)
    padded = np.concatenate([np.zeros(9), x])
    for t in range(40):
        now = t + 10
        y[now] = 0.3 * y[now - 1] + 0.05 * y[now - 1] * y[now - 10 : now].sum() + 1.5 * padded[t + 9] * padded[t] + 0.1
    np.testing.assert_allclose(task.respond(x), y[10:50], rtol=1e-12)
    assert np.isinf(task.respond(np.full(40, 3.0))[-1])
    assert np.abs(Narma(2000, 1, 0).generate("training", 5).targets).max() <= 2
