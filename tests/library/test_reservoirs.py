"""Reservoirs against literal loops, definitions and reservoirpy; what is known of memory, exponents and echo states."""

import re

import numpy as np
import pytest
import reservoirpy.nodes as peer
import torch
from scipy.sparse import csr_array, csr_matrix

from learnability.core.errors import InputError
from learnability.networks.network import run
from learnability.networks.weights import read_weights, write_weights
from learnability.reservoirs import (
    DeepReservoir,
    Reservoir,
    distances,
    draw_reservoir,
    fit_readout,
    generate,
    largest_stretch,
    lyapunov_exponents,
    memory_capacity,
    ridge,
    spectral_radius_of,
)

GENERATOR = np.random.default_rng(3)
INPUTS = GENERATOR.normal(size=(3, 20, 2))


def a_reservoir(density: float = 0.3, leak: float = 0.4) -> Reservoir:
    return draw_reservoir(40, 2, 1, 0, density=density, bias_scale=0.3, leak=leak)


@pytest.mark.parametrize("leak", [0.4, 1.0])
@pytest.mark.parametrize("density", [0.3, 1.0])
def test_states_are_those_of_a_literal_loop_and_of_reservoirpy(density: float, leak: float) -> None:
    reservoir = a_reservoir(density, leak)
    W = reservoir.recurrent.toarray() if density < 1 else reservoir.recurrent
    initial = GENERATOR.normal(size=(3, 40))
    states = reservoir.states(INPUTS, initial)
    for n, series in enumerate(INPUTS):
        h = initial[n]
        for t, x in enumerate(series):
            h = (1 - leak) * h + leak * np.tanh(W @ h + reservoir.input @ x + reservoir.bias)
            np.testing.assert_allclose(states[n, t], h, atol=1e-12)
    sparse = csr_matrix(W) if density < 1 else W
    theirs = peer.Reservoir(units=40, lr=leak, W=sparse, Win=reservoir.input, bias=reservoir.bias)
    np.testing.assert_allclose(reservoir.states(INPUTS)[0], theirs.run(INPUTS[0]), atol=1e-12)


def test_the_readout_is_that_of_reservoirpy() -> None:
    states, targets = a_reservoir().states(INPUTS), GENERATOR.normal(size=(3, 20, 2))
    weights, offset = fit_readout(states[:1], targets[:1], 1e-2, 5)
    theirs = peer.Ridge(ridge=1e-2).fit(states[0], targets[0], warmup=5)
    np.testing.assert_allclose(weights, theirs.Wout, atol=1e-9)
    np.testing.assert_allclose(offset, theirs.bias, atol=1e-9)


@pytest.mark.parametrize("shape", [(30, 8), (8, 30)])
@pytest.mark.parametrize("penalty", [10.0, 1e-3, 1e-10, 0.0])
def test_ridge_is_what_singular_values_give_down_to_no_penalty(shape: tuple[int, int], penalty: float) -> None:
    features, targets = GENERATOR.normal(size=shape), GENERATOR.normal(size=(shape[0], 2))
    features[:, 1] = features[:, 0]  # so that without a penalty there is more than one solution
    u, s, v = np.linalg.svd(features, full_matrices=False)
    kept = s > 1e-12 * s[0]
    expected = v[kept].T @ np.diag(s[kept] / (s[kept] ** 2 + penalty)) @ u[:, kept].T @ targets
    np.testing.assert_allclose(ridge(features, targets, penalty), expected, atol=1e-9)
    if penalty == 0:
        np.testing.assert_allclose(expected, np.linalg.pinv(features) @ targets, atol=1e-9)


def test_a_reservoir_is_a_network_with_fixed_weights(tmp_path) -> None:
    reservoir = a_reservoir()
    weights, offset = fit_readout(reservoir.states(INPUTS), INPUTS, 1e-3, 5)
    network, parameters = reservoir.as_network(weights, offset)
    network.check(parameters)
    write_weights(parameters, tmp_path / "weights.safetensors", {})
    stored = read_weights(tmp_path / "weights.safetensors")
    states = run(network.cell, stored, torch.from_numpy(INPUTS))
    np.testing.assert_allclose(states[:, 1:], reservoir.states(INPUTS), atol=1e-12)
    predicted = reservoir.states(INPUTS) @ weights + offset
    np.testing.assert_allclose(network.predict(stored, states[:, 1:]), predicted, atol=1e-12)
    linear = network.cell.linearize(stored, states[:, 4], torch.from_numpy(INPUTS[:, 4]))
    vectors = GENERATOR.normal(size=(3, 40, 1))
    pushed = reservoir.push(states[:, 4].numpy(), states[:, 5].numpy(), vectors)[..., 0]
    np.testing.assert_allclose(pushed, linear.along_state(torch.from_numpy(vectors[..., 0])), atol=1e-12)


def test_layers_are_driven_by_the_states_below() -> None:
    first, second = a_reservoir(), draw_reservoir(10, 40, 1, 1)
    deep = DeepReservoir((first, second))
    below = first.states(INPUTS)
    np.testing.assert_array_equal(deep.states(INPUTS), np.concatenate([below, second.states(below)], -1))
    assert deep.units == 50
    with pytest.raises(InputError, match=r"'layers' must be with as many inputs as .* \[10\]. Got \[2\]"):
        DeepReservoir((second, first))


@pytest.mark.parametrize("units, density", [(12, 0.5), (200, 0.05), (200, 1.0)])
def test_weights_have_the_spectral_radius_that_is_asked_for(units: int, density: float) -> None:
    reservoir = draw_reservoir(units, 1, 1, 0, density=density, spectral_radius=0.8)
    dense = reservoir.recurrent.toarray() if density < 1 else reservoir.recurrent
    assert np.abs(np.linalg.eigvals(dense)).max() == pytest.approx(0.8, rel=1e-9)
    assert (dense != 0).mean() == pytest.approx(density, rel=0.02)
    again = draw_reservoir(units, 1, 1, 0, density=density, spectral_radius=0.8)
    assert np.all((again.recurrent - reservoir.recurrent) @ np.ones(units) == 0)


def test_weights_without_a_cycle_have_the_spectral_radius_0_and_no_other() -> None:
    triangle = np.triu(GENERATOR.normal(size=(60, 60)), 1)
    assert np.abs(np.linalg.eigvals(triangle + 1e-14)).max() > 0.01  # what rounding alone would make of it
    order = GENERATOR.permutation(60)
    assert spectral_radius_of(csr_array(triangle[order][:, order])) == 0
    with pytest.raises(InputError, match="'spectral_radius' must be that of weights with a cycle of connections"):
        draw_reservoir(20, 1, 1, 0, density=0.01)
    assert spectral_radius_of(draw_reservoir(20, 1, 1, 0, density=0.01, spectral_radius=0).recurrent) == 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"spectral_radius": -0.1}, "'spectral_radius' must be at least 0. Got -0.1"),
        ({"density": 0}, "'density' must be above 0 and at most 1. Got 0"),
        ({"leak": 1.5}, "'leak' must be above 0 and at most 1. Got 1.5"),
        ({"input_scale": -1}, "'input_scale' must be at least 0. Got -1"),
    ],
)
def test_what_no_reservoir_has_is_named(changes: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        draw_reservoir(10, 1, 1, 0, **changes)


def test_what_no_readout_has_is_named() -> None:
    with pytest.raises(InputError, match=r"'penalty' must be at least 0. Got -1"):
        ridge(np.ones((3, 2)), np.ones(3), -1)
    with pytest.raises(
        InputError, match=r"'washout' must be at least 0 and below the length of a series \(20\). Got 20"
    ):
        fit_readout(INPUTS, INPUTS, 0, 20)
    with pytest.raises(InputError, match=r"'washout' must be from 8, the longest lag, to 16. Got 7"):
        memory_capacity(INPUTS, INPUTS[..., 0], [2, 8], 7)


def test_a_delay_line_recalls_what_it_holds_and_no_reservoir_more_than_its_units() -> None:
    series, lags = np.random.default_rng(5).uniform(-1, 1, (1, 4000, 1)), list(range(1, 31))
    line = Reservoir(np.eye(8, k=-1), 1e-3 * np.eye(8, 1), np.zeros(8))
    found = memory_capacity(line.states(series), series[..., 0], lags, 100)
    np.testing.assert_allclose(found, [1.0] * 7 + [0.0] * 23, atol=0.01)
    reservoir = draw_reservoir(12, 1, 1, 0, input_scale=0.1)
    states = reservoir.states(series)
    found = memory_capacity(states, series[..., 0], [0, *lags], 100)
    assert 5 < found.sum() < 12
    noisy = states + np.random.default_rng(6).normal(size=states.shape)
    assert memory_capacity(noisy, series[..., 0], lags, 100).sum() < found.sum()


def test_exponents_are_those_of_explicit_products_and_of_eigenvalues() -> None:
    reservoir = draw_reservoir(6, 1, 1, 0, leak=0.7)
    series = np.random.default_rng(7).normal(size=(1, 60, 1))
    states = np.concatenate([np.zeros((1, 6)), reservoir.states(series)[0]])
    whole, logs = np.eye(6), 0.0
    for k, t in enumerate(range(60, 0, -1), 1):
        g = (states[t] - 0.3 * states[t - 1]) / 0.7
        jacobian = 0.3 * np.eye(6) + 0.7 * np.diag(1 - g**2) @ reservoir.recurrent
        whole, logs = whole @ jacobian, logs + np.linalg.slogdet(jacobian)[1]
        if k in (1, 5):
            stretch = largest_stretch(reservoir, series, 5)[0]
            assert stretch[k] == pytest.approx(np.linalg.norm(whole, 2)) and stretch[0] == 1
    found = lyapunov_exponents(reservoir, series[0], 6, 0, 1, 0)
    assert found.sum() == pytest.approx(logs / 60)
    assert (np.diff(found) <= 0).all()
    still = lyapunov_exponents(reservoir, np.zeros((2000, 1)), 1, 500, 1, 0)
    eigenvalues = 0.3 + 0.7 * np.linalg.eigvals(reservoir.recurrent)
    assert still[0] == pytest.approx(np.log(np.abs(eigenvalues).max()), abs=1e-3)


def test_the_spectral_radius_neither_grants_echo_states_nor_denies_them() -> None:
    starts = np.array([[0.0, 0.0], [0.9, -0.9]])
    without = Reservoir(np.array([[2.0, 6.0], [-0.8, -2.5]]), np.zeros((2, 1)), np.zeros(2))
    assert spectral_radius_of(without.recurrent) < 0.8
    assert distances(without, np.zeros((500, 1)), starts)[-1] > 1  # a second attractor, beside 0
    driven = draw_reservoir(50, 1, 1, 0, spectral_radius=1.5, input_scale=2.0)
    many = np.random.default_rng(8).uniform(-1, 1, (5, 50))
    strong = 3 * np.random.default_rng(9).normal(size=(400, 1))
    assert distances(driven, strong, many)[-1] < 1e-9
    assert lyapunov_exponents(driven, strong, 1, 50, 1, 0)[0] < 0
    assert distances(driven, np.zeros((400, 1)), many)[-1] > 0.1  # without inputs it has none
    contracting = draw_reservoir(50, 1, 1, 0)
    weights = contracting.recurrent * (0.9 / np.linalg.norm(contracting.recurrent, 2))
    small = Reservoir(weights, contracting.input, contracting.bias)
    apart = distances(small, strong, many)
    assert (apart[1:] <= 0.9 * apart[:-1] + 1e-15).all()


def test_a_series_is_continued_as_a_literal_loop_does() -> None:
    reservoir = a_reservoir()
    weights, offset = fit_readout(reservoir.states(INPUTS)[:, :-1], INPUTS[:, 1:], 1e-3, 5)
    continued = generate(reservoir, weights, offset, INPUTS, 4)
    for n, series in enumerate(INPUTS):
        so_far = list(series)
        for t in range(4):
            h = reservoir.states(np.array([so_far]))[0, -1]
            np.testing.assert_allclose(continued[n, t], h @ weights + offset, atol=1e-12)
            so_far.append(h @ weights + offset)
