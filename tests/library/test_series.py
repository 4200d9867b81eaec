"""Chaotic series against literal integration and known exponents; NARMA-10 against its formula."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from learnability.core.errors import InputError
from learnability.core.streams import numpy_generator
from learnability.tasks import TASKS, Task, build_task
from learnability.tasks.series import Lorenz, MackeyGlass, Narma

SERIES = ["lorenz", "mackey_glass", "narma"]


@pytest.mark.parametrize("name", SERIES)
def test_a_series_is_a_task(name: str) -> None:
    task = build_task({"name": name, "duration": 30}, 1, 0)
    assert isinstance(task, Task) and type(task) is TASKS[name]
    sequences, again, validation = (task.generate(split, 3) for split in ("training", "training", "validation"))
    np.testing.assert_array_equal(sequences.inputs, again.inputs)
    assert not np.allclose(sequences.inputs, validation.inputs)
    assert sequences.inputs.shape == (3, 30, task.input_size)
    assert sequences.targets.shape == ((3, 30) if name == "narma" else sequences.inputs.shape)
    if name != "narma":
        np.testing.assert_array_equal(sequences.inputs[:, 1:], sequences.targets[:, :-1])
    with pytest.raises(InputError, match=r"'task.duration' must be at least 1. Got 0"):
        build_task({"name": name, "duration": 0}, 1, 0)


@pytest.mark.parametrize(
    ("name", "key", "bound"), [("lorenz", "step", "above 0"), ("mackey_glass", "delay", "at least 1")]
)
def test_what_no_flow_has_is_named(name: str, key: str, bound: str) -> None:
    with pytest.raises(InputError, match=f"'task.{key}' must be {bound}. Got 0"):
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
    # 350,000 units of time of the tangent equation below have 0.00505, here 25,000 and their spread of 0.0004
    assert MackeyGlass(1, 1, 0).lyapunov_exponent(500, 50) == pytest.approx(0.00505, abs=0.0013)


def test_the_exponent_of_mackey_glass_is_that_of_its_tangent_equation() -> None:
    """e' = ∂f/∂x e + ∂f/∂x_τ e_τ beside x' = f(x, x_τ), by Heun's method, from the same pasts and perturbations."""
    task, count, steps, part, delay = MackeyGlass(1, 1, 0), 10, 150, 0.1, 170
    generator = numpy_generator(1, 0, "exponent")
    states = task.start(generator, count)
    for _ in range(task.TRANSIENT):
        states = task.advance(states)
    apart = generator.normal(size=states.shape)
    apart /= np.sqrt((apart**2).sum(1, keepdims=True))

    def flow(x, past):
        return 0.2 * past / (1 + past**10) - 0.1 * x

    def tangent(e, past, e_past):
        return 0.2 * (1 - 9 * past**10) / (1 + past**10) ** 2 * e_past - 0.1 * e

    growth = []
    for _ in range(steps):
        x, e = np.pad(states, ((0, 0), (0, 10))), np.pad(apart, ((0, 0), (0, 10)))
        for k in range(delay, delay + 10):
            past, e_past = (series[:, k - delay : k - delay + 2].T for series in (x, e))
            slope, e_slope = flow(x[:, k], past[0]), tangent(e[:, k], past[0], e_past[0])
            x[:, k + 1] = x[:, k] + part / 2 * (slope + flow(x[:, k] + part * slope, past[1]))
            ahead = tangent(e[:, k] + part * e_slope, past[1], e_past[1])
            e[:, k + 1] = e[:, k] + part / 2 * (e_slope + ahead)
        states, size = x[:, 10:], np.sqrt((e[:, 10:] ** 2).sum(1, keepdims=True))
        apart = e[:, 10:] / size
        growth.append(np.log(size).mean())
    expected = np.mean(growth[steps // 10 :])
    assert abs(expected) > 1e-3
    assert task.lyapunov_exponent(steps, count) == pytest.approx(expected, abs=2e-4)


def test_narma_is_its_formula_and_stays_bounded() -> None:
    task = Narma(40, 1, 0)
    x = np.random.default_rng(2).uniform(0, 0.5, 40)
    y = np.zeros(60)
    with_zeros = np.concatenate([np.zeros(9), x])
    for t in range(40):
        now = t + 10
        y[now] = (
            0.3 * y[now - 1]
            + 0.05 * y[now - 1] * y[now - 10 : now].sum()
            + 1.5 * with_zeros[t + 9] * with_zeros[t]
            + 0.1
        )
    np.testing.assert_allclose(task.respond(x), y[10:50], rtol=1e-12)
    assert np.isinf(task.respond(np.full(40, 3.0))[-1])
    assert np.abs(Narma(2000, 1, 0).generate("training", 5).targets).max() <= 2
