"""Reservoirs against literal loops, explicit Jacobians, all eigenvalues and reservoirpy."""

import re

import numpy as np
import pytest
import reservoirpy.nodes as peer
import torch
from scipy.sparse import csr_array, csr_matrix

from learnability.core.errors import InputError
from learnability.networks.frozen import Frozen
from learnability.networks.network import run
from learnability.networks.weights import read_weights, write_weights
from learnability.reservoirs import (
    DeepReservoir,
    Reservoir,
    draw_deep_reservoir,
    draw_reservoir,
    drawing,
    engines,
    fit_network,
    fit_readout,
    largest_stretch,
    spectral_radius_of,
)
from learnability.tasks import DelayedSum, Sequences
from learnability.transport import TorchEngine
from learnability.transport.exact import exact_transport

GENERATOR = np.random.default_rng(3)
INPUTS = GENERATOR.normal(size=(3, 20, 2))


def a_reservoir(density: float = 0.3, leak: float = 0.4) -> Reservoir:
    return draw_reservoir(40, 2, 1, 0, density=density, bias_scale=0.3, leak=leak)


@pytest.mark.parametrize("engine", ["native", "numpy"])
@pytest.mark.parametrize("leak", [0.4, 1.0])
@pytest.mark.parametrize("density", [0.3, 1.0])
def test_states_are_those_of_a_literal_loop_and_of_reservoirpy(density: float, leak: float, engine: str) -> None:
    reservoir = a_reservoir(density, leak)
    W = reservoir.recurrent.toarray() if density < 1 else reservoir.recurrent
    initial = GENERATOR.normal(size=(3, 40))
    states = reservoir.states(INPUTS, initial, engine=engine)
    for n, series in enumerate(INPUTS):
        h = initial[n]
        for t, x in enumerate(series):
            h = (1 - leak) * h + leak * np.tanh(W @ h + reservoir.input @ x + reservoir.bias)
            np.testing.assert_allclose(states[n, t], h, atol=1e-12)
    sparse = csr_matrix(W) if density < 1 else W
    theirs = peer.Reservoir(units=40, lr=leak, W=sparse, Win=reservoir.input, bias=reservoir.bias)
    np.testing.assert_allclose(reservoir.states(INPUTS, engine=engine)[0], theirs.run(INPUTS[0]), atol=1e-12)


@pytest.mark.parametrize("engine", ["native"])
@pytest.mark.parametrize("units", [3, 37])
@pytest.mark.parametrize("density", [0.5, 1.0])
def test_engines_agree_for_any_number_of_sequences_and_threads(density: float, units: int, engine: str) -> None:
    """Sizes that fill no vector, no block of rows and no tile of sequences, and those that overfill them."""
    reservoir = draw_reservoir(units, 1, 1, 0, density=density, leak=0.7, bias_scale=1.0)
    for sequences in (0, 1, 3, 4, 7, 19):
        series, initial = (GENERATOR.normal(size=(sequences, size)) for size in (9, units))
        expected = reservoir.states(series[..., None], initial, engine="numpy")
        for threads in (1, 2, 5):
            result = reservoir.states(series[..., None], initial, engine=engine, threads=threads)
            np.testing.assert_allclose(result, expected, atol=1e-12)
    np.testing.assert_array_equal(reservoir.states(np.full((1, 1, 1), np.nan), engine=engine), np.nan)


@pytest.mark.parametrize("engine", ["native"])
@pytest.mark.parametrize("density", [0.5, 1.0])
def test_numbers_of_another_kind_or_order_are_not_read_as_they_lie(density: float, engine: str) -> None:
    W, start, driven = a_reservoir(density).recurrent, GENERATOR.normal(size=(3, 40)), GENERATOR.normal(size=(9, 3, 40))
    expected, result = driven.copy(), driven.copy()
    W = W.astype(np.float32)  # a copy, so that both have the same numbers
    engines.ENGINES["numpy"](W.astype(float), 0.4, start, expected, 1)
    engines.ENGINES[engine](W if density < 1 else np.asfortranarray(W), 0.4, np.asfortranarray(start), result, 1)
    np.testing.assert_allclose(result, expected, atol=1e-12)


def test_a_start_of_another_shape_is_named() -> None:
    with pytest.raises(InputError, match=r"'initial' must be of shape \(3, 40\). Got \(3, 39\)"):
        a_reservoir().states(INPUTS, np.zeros((3, 39)))


def test_without_a_compiler_numpy_drives(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = a_reservoir().states(INPUTS, engine="numpy")
    with monkeypatch.context() as without:
        without.setattr(engines, "find_compiler", lambda: None)
        engines.fastest.cache_clear()
        np.testing.assert_array_equal(a_reservoir().states(INPUTS), expected)
    engines.fastest.cache_clear()
    for settings, message in (
        ({"engine": "cuda"}, "'engine' must be one of native, numpy. Got 'cuda'"),
        ({"threads": 0}, "'threads' must be at least 1. Got 0"),
        ({"engine": "numpy", "threads": 2}, "'threads' must be 1 for engine 'numpy'. Got 2"),
    ):
        with pytest.raises(InputError, match=re.escape(message)):
            a_reservoir().states(INPUTS, **settings)


@pytest.mark.parametrize("leak", [0.4, 1.0])
def test_a_reservoir_is_a_network_with_fixed_weights(leak: float, tmp_path) -> None:
    reservoir = a_reservoir(leak=leak)
    weights, offset = fit_readout(reservoir.states(INPUTS), INPUTS, 1e-3, 5)
    network, parameters = reservoir.as_network(weights, offset)
    network.check(parameters)
    write_weights(parameters, tmp_path / "weights.safetensors", {})
    theta = read_weights(tmp_path / "weights.safetensors")
    states = run(network.cell, theta, torch.from_numpy(INPUTS))
    np.testing.assert_allclose(states[:, 1:], reservoir.states(INPUTS), atol=1e-12)
    predictions = reservoir.states(INPUTS) @ weights + offset
    np.testing.assert_allclose(network.predict(theta, states[:, 1:]), predictions, atol=1e-12)
    assert Frozen.of(network, theta, Sequences(INPUTS, INPUTS)).first(2).inputs.shape == (2, 20, 2)


@pytest.mark.parametrize("leak", [0.4, 1.0])
def test_exact_transport_of_that_network_is_the_product_of_jacobians(leak: float) -> None:
    reservoir = draw_reservoir(8, 2, 1, 0, density=0.5, leak=leak)
    series = INPUTS[:, :9]
    network, parameters = reservoir.as_network(np.ones(8))
    W, states = reservoir.recurrent.toarray(), reservoir.states(series)
    products, expected = np.broadcast_to(np.eye(8), (3, 8, 8)), {}
    for lag in range(1, 9):
        g = (states[:, -lag] - (1 - leak) * states[:, -lag - 1]) / leak
        products = products @ ((1 - leak) * np.eye(8) + leak * (1 - g**2)[..., None] * W)
        expected[lag] = products
    lags = [1, 4, 8]
    # Of a window that ends at the last step.
    transport = exact_transport(network, parameters, torch.from_numpy(series), lags, 1)
    for lag in lags:
        norms = np.linalg.norm(expected[lag], 2, (1, 2))
        np.testing.assert_allclose(transport["spectral_norm"].sel(lag=lag), norms, rtol=1e-9, atol=1e-15)
        np.testing.assert_allclose(largest_stretch(reservoir, series, lag)[:, lag], norms, rtol=1e-9, atol=1e-15)
        diagonal = np.diagonal(expected[lag], axis1=1, axis2=2).mean(0)
        np.testing.assert_allclose(transport["diagonal"].sel(lag=lag), diagonal, atol=1e-12)


def test_layers_are_driven_by_the_states_below() -> None:
    deep = draw_deep_reservoir([6, 4, 3], 2, 1, 0, leak=0.6)
    first, second, third = deep.layers
    below = first.states(INPUTS)
    between = second.states(below)
    expected = np.concatenate([below, between, third.states(between)], -1)
    np.testing.assert_array_equal(deep.states(INPUTS), expected)
    continuation = deep.states(INPUTS[:, 8:], expected[:, 7])
    np.testing.assert_allclose(continuation, expected[:, 8:], atol=1e-12)
    assert deep.units == 13
    with pytest.raises(InputError, match=r"'layers' must be with as many inputs as .* \[4\]. Got \[2\]"):
        DeepReservoir((second, first))
    with pytest.raises(InputError, match="'layers' must be at least one"):
        DeepReservoir(())


@pytest.mark.parametrize("reservoir", [draw_deep_reservoir([6, 4], 2, 1, 0, leak=0.6), a_reservoir()])
def test_what_a_step_moves_is_what_finite_differences_say(reservoir: Reservoir | DeepReservoir) -> None:
    before, vectors = GENERATOR.uniform(-0.5, 0.5, (3, reservoir.units)), GENERATOR.normal(size=(3, reservoir.units))

    def one_step(state: np.ndarray) -> np.ndarray:
        return reservoir.states(INPUTS[:, :1], state)[:, 0]

    difference = (one_step(before + 1e-6 * vectors) - one_step(before - 1e-6 * vectors)) / 2e-6
    tangents = reservoir.push(before, one_step(before), vectors[..., None])[..., 0]
    np.testing.assert_allclose(tangents, difference, atol=1e-8)


@pytest.mark.parametrize("distribution", ["normal", "uniform"])
@pytest.mark.parametrize("units, density", [(12, 0.5), (100, 0.02), (100, 1.0)])
def test_weights_have_the_spectral_radius_that_is_asked_for(units: int, density: float, distribution: str) -> None:
    settings = {"density": density, "spectral_radius": 0.8, "distribution": distribution}
    reservoir = draw_reservoir(units, 1, 1, 0, **settings)
    dense = reservoir.recurrent.toarray() if density < 1 else reservoir.recurrent
    assert np.abs(np.linalg.eigvals(dense)).max() == pytest.approx(0.8, rel=1e-9)
    assert (dense != 0).mean() == pytest.approx(density, rel=0.02)
    again, other_seed = (draw_reservoir(units, 1, 1, seed, **settings).recurrent for seed in (0, 1))
    assert np.all((again - reservoir.recurrent) @ np.ones(units) == 0)
    assert np.any((other_seed - reservoir.recurrent) @ np.ones(units) != 0)


@pytest.mark.parametrize(("distribution", "size", "deviation"), [("normal", 2.0, 2.0), ("uniform", 2.0, 2 / 3**0.5)])
def test_inputs_and_bias_have_their_scale_and_distribution(distribution: str, size: float, deviation: float) -> None:
    reservoir = draw_reservoir(
        2000, 1, 1, 0, density=0.002, input_scale=size, bias_scale=size, input_distribution=distribution
    )
    for part in (reservoir.input, reservoir.bias):
        assert part.std() == pytest.approx(deviation, rel=0.05)
        assert (np.abs(part).max() <= size) == (distribution == "uniform")
    assert not np.array_equal(reservoir.input[:, 0], reservoir.bias)


def test_weights_without_a_cycle_have_the_spectral_radius_0_and_no_other() -> None:
    generator = np.random.default_rng(4)
    triangle = np.triu(generator.normal(size=(60, 60)), 1)
    assert np.abs(np.linalg.eigvals(triangle + 1e-14)).max() > 0.01  # what rounding alone would make of it
    order = generator.permutation(60)
    assert spectral_radius_of(csr_array(triangle[order][:, order])) == 0
    with pytest.raises(InputError, match="'spectral_radius' must be that of weights with a cycle of connections"):
        draw_reservoir(20, 1, 1, 0, density=0.01)
    for units, density in ((20, 0.01), (100, 0.1)):
        assert spectral_radius_of(draw_reservoir(units, 1, 1, 0, density=density, spectral_radius=0).recurrent) == 0
    triangle[3, 3] = 0.5  # an eigenvalue, of which rounding would make others
    assert np.abs(np.linalg.eigvals(triangle + 1e-14)).max() > 0.55
    assert spectral_radius_of(triangle) == spectral_radius_of(csr_array(triangle)) == 0.5


@pytest.mark.parametrize("sparse", [False, True])
def test_eigenvalues_as_large_as_each_other_have_their_modulus(sparse: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond what Arnoldi's method finds: cycles, orthogonal and other normal matrices, and any others."""
    monkeypatch.setattr(drawing, "RESTARTS", 1)
    generator, units = np.random.default_rng(5), 200
    weights = generator.uniform(0.5, 1.5, units)
    around = np.arange(units)
    cycle = np.zeros((units, units))
    cycle[around, np.roll(around, 1)] = weights
    orthogonal = np.linalg.qr(generator.normal(size=(units, units)))[0]
    circulant = sum(share * np.roll(np.eye(units), shift, 1) for shift, share in ((1, 0.5), (2, 0.3), (7, 0.1)))
    rotations = np.zeros((units, units))
    for first, modulus in zip(range(0, units, 2), np.linspace(0.6, 0.9, units // 2), strict=True):
        c, s = modulus * np.cos(first), modulus * np.sin(first)
        rotations[first : first + 2, first : first + 2] = [[c, -s], [s, c]]
    normal = orthogonal @ rotations @ orthogonal.T
    triangular = orthogonal @ (rotations + np.triu(generator.normal(scale=0.01, size=(units, units)), 2)) @ orthogonal.T
    for matrix, expected in (
        (cycle, np.exp(np.log(weights).mean())),
        (-0.7 * orthogonal, 0.7),
        (circulant, 0.9),
        (normal, 0.9),
        (triangular, np.abs(np.linalg.eigvals(triangular)).max()),
    ):
        assert spectral_radius_of(csr_array(matrix) if sparse else matrix) == pytest.approx(expected, rel=1e-9)
    monkeypatch.setattr(drawing, "DENSE", 100)
    assert spectral_radius_of(csr_array(triangular) if sparse else triangular) == pytest.approx(expected, rel=1e-3)
    monkeypatch.setattr(drawing, "PRODUCTS", 8)
    with pytest.raises(InputError, match="'weights' must be such that norms of their powers settle within 8 products"):
        spectral_radius_of(triangular)


def uneven_matrices() -> dict[str, tuple[np.ndarray, float]]:
    """Matrices whose units have very different scales, and their spectral radii as known without them."""
    generator, matrices = np.random.default_rng(6), {}
    for units in (12, 60, 150):
        for name, density in (("sparse", 3 / units), ("dense", 1.0)):
            even = generator.normal(size=(units, units)) * (generator.random((units, units)) < density)
            even += np.roll(np.eye(units), 1, 1)
            radius = np.abs(np.linalg.eigvals(even)).max()
            for exponents in (np.arange(units) * 400 // units, generator.integers(0, 80, units)):
                similar = np.ldexp(even, exponents[None] - exponents[:, None])
                matrices[f"{name}, {units}, to 2^{exponents.max()}"] = similar, radius
    ramp = 2.0 ** (15 * np.sin(np.arange(200) / 100 * np.pi))
    halves, turns = (np.where(mask, 0.5, 2) for mask in (np.arange(200) < 100, np.arange(200) % 2))
    for name, weights, (to, of) in (
        ("halves", halves, (0, 100)),
        ("halves, crossed", halves, (50, 150)),
        ("turns", turns, (50, 150)),
        ("ramp", ramp, (0, 50)),
    ):
        cycle = np.zeros((200, 200))
        cycle[np.arange(200), np.roll(np.arange(200), -1)] = weights
        cycle[to, of] = 0.5
        # λ^200 = Π |w| + ½ Π' |w| λ^(of - to - 1), where Π' is over the edges from `of` on round to `to`: by bisection
        whole, part = np.log2(weights).sum(), -1 + np.log2(weights).sum() - np.log2(weights[to:of]).sum()
        low, high = -20.0, 20.0
        for _ in range(100):
            middle = (low + high) / 2
            larger = np.logaddexp2(whole - 200 * middle, part - (201 - of + to) * middle) > 0
            low, high = (middle, high) if larger else (low, middle)
        matrices[f"cycle of {name}"] = cycle, 2**middle
    tridiagonal = np.diag(np.full(99, 100.0), -1) + np.diag(np.full(99, 0.01), 1)
    matrices["tridiagonal"] = tridiagonal, 2 * np.cos(np.pi / 101)
    return matrices


@pytest.mark.parametrize(("weights", "radius"), uneven_matrices().values(), ids=uneven_matrices())
def test_units_of_very_different_scales_have_the_same_eigenvalues(weights: np.ndarray, radius: float) -> None:
    """A diagonal similarity moves none, but by rounding it would: up to a factor of two for a cycle with a chord."""
    assert spectral_radius_of(csr_array(weights)) == pytest.approx(radius, rel=1e-9)
    if len(weights) < 200:
        assert spectral_radius_of(weights) == pytest.approx(radius, rel=1e-9)


def test_drawn_weights_keep_every_digit_of_their_radius(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks and balancing leave it as Arnoldi's method has it: stored reservoirs rest on it."""
    sizes = ((37, 1.0), (58, 0.1), (100, 0.1))
    recurrences = [draw_reservoir(units, 1, 20260101, 0, density=density).recurrent for units, density in sizes]
    monkeypatch.setattr(drawing, "_balance", lambda weights: weights)
    monkeypatch.setattr(drawing, "CHECK_UNITS", 0)
    for (units, density), recurrent in zip(sizes, recurrences, strict=True):
        again = draw_reservoir(units, 1, 20260101, 0, density=density).recurrent
        assert (again != recurrent).sum() == 0


@pytest.mark.parametrize(
    ("weights", "message"),
    [(csr_array((2, 3)), "a square matrix. Got (2, 3)"), (np.array([[1.0, np.nan], [1, 1]]), "finite")],
)
def test_what_has_no_spectral_radius_is_named(weights: np.ndarray, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"'weights' must be {message}")):
        spectral_radius_of(weights)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"spectral_radius": -0.1}, "'spectral_radius' must be at least 0 and finite. Got -0.1"),
        ({"density": 0}, "'density' must be above 0 and at most 1. Got 0"),
        ({"leak": 1.5}, "'leak' must be above 0 and at most 1. Got 1.5"),
        ({"input_scale": -1}, "'input_scale' must be at least 0 and finite. Got -1"),
        ({"distribution": "cauchy"}, "'distribution' must be one of normal, uniform. Got 'cauchy'"),
    ],
)
def test_what_no_reservoir_has_is_named(changes: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        draw_reservoir(10, 1, 1, 0, **changes)


def test_a_fitted_reservoir_is_a_network_that_predicts_as_it_was_judged() -> None:
    task = DelayedSum(1, 60, [3, 7], [0.8, 0.5], 0.1, root_seed=1, seed=0)
    training, validation = (task.generate(split, 20) for split in ("training", "validation"))
    reservoir = draw_reservoir(30, 1, 1, 0, leak=0.8)
    fit = fit_network(reservoir, training, validation, [1e-8, 1e-2, 1e9], 10, 1, 0)
    losses = []
    for sequences in (training, validation):
        errors = TorchEngine().predictions(fit.network, fit.parameters, torch.from_numpy(sequences.inputs))
        losses.append(((errors.numpy() - sequences.targets)[:, 10:] ** 2).mean())
    np.testing.assert_allclose(losses, [fit.training_loss, fit.validation_loss], rtol=1e-10)
    assert fit.penalty < 1e9 and losses[1] < 0.5 * np.var(validation.targets)
    assert set(fit.start) == set(fit.parameters) and fit.start["w"].norm().item() == pytest.approx(1)
    assert all(torch.equal(fit.start[name], fit.parameters[name]) for name in ("W_h", "U_h", "b_h"))
