"""Readouts, memory, exponents and echo states of reservoirs against literal formulae, and what theory says of them."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
import reservoirpy.nodes as peer
from reservoirpy.observables import memory_capacity as peer_memory_capacity

from learnability.core.errors import InputError
from learnability.core.streams import numpy_generator
from learnability.reservoirs import (
    Reservoir,
    choose_readout,
    distances,
    draw_deep_reservoir,
    draw_reservoir,
    error_growth,
    fit_readout,
    generate,
    has_echo_states,
    largest_stretch,
    lyapunov_exponents,
    memory_capacity,
    predict_next,
    ridge,
    ridge_each,
    spectral_radius_of,
)
from learnability.reservoirs.memory import explained, squared_correlation
from learnability.reservoirs.ridge import LEAST_CONDITION
from learnability.tasks import Lorenz

GENERATOR = np.random.default_rng(3)
INPUTS = GENERATOR.normal(size=(3, 20, 2))


def a_reservoir() -> Reservoir:
    return draw_reservoir(40, 2, 1, 0, density=0.3, bias_scale=0.3, leak=0.4)


def test_the_readout_is_that_of_reservoirpy() -> None:
    states, targets = a_reservoir().states(INPUTS), GENERATOR.normal(size=(3, 20, 2))
    weights, offset = fit_readout(states[:1], targets[:1], 1e-2, 5)
    theirs = peer.Ridge(ridge=1e-2).fit(states[0], targets[0], warmup=5)
    np.testing.assert_allclose(weights, theirs.Wout, atol=1e-9)
    np.testing.assert_allclose(offset, theirs.bias, atol=1e-9)
    without, no_offset = fit_readout(states[:1], targets[:1], 1e-2, 5, bias=False)
    theirs = peer.Ridge(ridge=1e-2, fit_bias=False).fit(states[0], targets[0], warmup=5)
    np.testing.assert_allclose(without, theirs.Wout, atol=1e-9)
    np.testing.assert_array_equal(no_offset, np.zeros(2))


@pytest.mark.parametrize("shape", [(30, 8), (8, 30)])
@pytest.mark.parametrize("penalty", [10.0, 1e-3, 1e-10, 0.0])
def test_ridge_is_what_singular_values_give_down_to_no_penalty(shape: tuple[int, int], penalty: float) -> None:
    features, targets = GENERATOR.normal(size=shape), GENERATOR.normal(size=(shape[0], 2))
    features[:, 1] = features[:, 0]  # so that without a penalty there is more than one solution
    u, s, v = np.linalg.svd(features, full_matrices=False)
    positive = s > 1e-12 * s[0]
    expected = v[positive].T @ np.diag(s[positive] / (s[positive] ** 2 + penalty)) @ u[:, positive].T @ targets
    np.testing.assert_allclose(ridge(features, targets, penalty), expected, atol=1e-9)
    if penalty == 0:
        np.testing.assert_allclose(expected, np.linalg.pinv(features) @ targets, atol=1e-9)


@pytest.mark.parametrize("shape", [(30, 8), (8, 30)])
def test_a_falling_penalty_leads_to_the_shortest_solution_without_a_jump(shape: tuple[int, int]) -> None:
    """No jump appears where the method changes either."""
    features, targets = GENERATOR.normal(size=shape), GENERATOR.normal(size=shape[0])
    features[:, 1] = features[:, 0]
    size = (features**2).sum()
    near = [ridge(features, targets, LEAST_CONDITION * size * factor) for factor in (1 - 1e-9, 1 + 1e-9)]
    np.testing.assert_allclose(*near, atol=1e-8)
    shortest = np.linalg.pinv(features) @ targets
    away = [np.linalg.norm(ridge(features, targets, penalty) - shortest) for penalty in (1e-2, 1e-5, 1e-8, 0)]
    assert away[0] > 100 * away[1] > 1e4 * away[2] and away[2] < 1e-8 and away[3] < 1e-12


def exactly(features: np.ndarray, targets: np.ndarray, penalty: float) -> np.ndarray:
    """(H Hᵀ + λ I)⁻¹ H y in fractions, by elimination."""
    h = [[Fraction(float(value)) for value in row] for row in features]
    rows = [
        [sum(row[i] * row[j] for row in h) + (Fraction(penalty) if i == j else 0) for j in range(len(h[0]))]
        + [sum(row[i] * Fraction(float(y)) for row, y in zip(h, targets, strict=True))]
        for i in range(len(h[0]))
    ]
    for i, pivot in enumerate(rows):
        rows[i] = [value / pivot[i] for value in pivot]
        for j in range(len(rows)):
            if j != i:
                rows[j] = [a - rows[j][i] * b for a, b in zip(rows[j], rows[i], strict=True)]
    return np.array([float(row[-1]) for row in rows])


@pytest.mark.parametrize("shape", [(12, 6), (6, 12)])
@pytest.mark.parametrize("share", [1e-3, 1e-8, 1.01 * LEAST_CONDITION, 0.99 * LEAST_CONDITION])
def test_ridge_is_exact_but_for_what_rounding_the_features_changes(shape: tuple[int, int], share: float) -> None:
    """Features have singular values from 1 to 10⁻⁶. A rounded feature changes w by ε times σ_1 / sqrt(λ)."""
    u, _, v = np.linalg.svd(GENERATOR.normal(size=shape), full_matrices=False)
    features, targets = u * np.logspace(0, -6, 6) @ v, GENERATOR.normal(size=shape[0])
    penalty = share * (features**2).sum()
    expected = exactly(features, targets, penalty)
    away = np.linalg.norm(ridge(features, targets, penalty) - expected) / np.linalg.norm(expected)
    assert away < 30 * np.finfo(float).eps / np.sqrt(share)


@pytest.mark.parametrize("penalties", [[3.0, 1.0, 100.0], [0.0, 1e-9, 1.0]])
def test_several_penalties_are_each_for_itself(penalties: list[float]) -> None:
    features, targets = GENERATOR.normal(size=(30, 8)), GENERATOR.normal(size=(30, 2))
    expected = [ridge(features, targets, penalty) for penalty in penalties]
    np.testing.assert_allclose(ridge_each(features, targets, penalties), expected, atol=1e-12)


@pytest.mark.parametrize("bias", [True, False])
def test_the_penalty_is_chosen_by_series_that_readouts_were_not_fitted_to(bias: bool) -> None:
    reservoir, penalties = a_reservoir(), [1e3, 1.0, 1e-3, 0.0]
    series = GENERATOR.normal(size=(2, 2, 40, 2))
    targets = np.roll(series.sum(-1), 1, -1) + GENERATOR.normal(size=(2, 2, 40))
    training, validation = ((reservoir.states(x), y) for x, y in zip(series, targets, strict=True))
    best, errors, weights, offset = choose_readout(training, validation, penalties, 5, bias=bias)
    for penalty, error in zip(penalties, errors, strict=True):
        w, c = fit_readout(*training, penalty, 5, bias=bias)
        assert error == pytest.approx(((validation[0] @ w + c - validation[1])[:, 5:] ** 2).mean())
    assert errors[best] == min(errors) and errors[best] < errors[-1]
    again = fit_readout(*training, penalties[best], 5, bias=bias)
    np.testing.assert_allclose(weights, again[0], atol=1e-12)
    np.testing.assert_allclose(offset, again[1], atol=1e-12)


def test_what_no_readout_has_is_named() -> None:
    with pytest.raises(InputError, match=r"'penalty' must be at least 0. Got -1"):
        ridge(np.ones((3, 2)), np.ones(3), -1)
    with pytest.raises(InputError, match=r"'features' must be finite. Got nan"):
        ridge(np.full((3, 2), np.nan), np.ones(3), 1)
    np.testing.assert_array_equal(ridge(np.zeros((3, 2)), np.ones(3), 0), np.zeros(2))
    with pytest.raises(
        InputError, match=r"'washout' must be at least 0 and below the length of a series \(20\). Got 20"
    ):
        fit_readout(INPUTS, INPUTS, 0, 20)


BY_STEPS = {"held_out": "steps"}


@pytest.mark.parametrize(
    ("states", "inputs", "lags", "washout", "settings", "message"),
    [
        (INPUTS[:1], INPUTS[:1, :, 0], [2, 8], 7, BY_STEPS, r"'washout' must be from 8, the longest lag, to 16. Got 7"),
        (INPUTS, INPUTS[..., 0], [2], 20, {"held_out": "sequences"}, r"'washout' must be from 2, .*, to 19. Got 20"),
        (INPUTS[:1], INPUTS[:1, :, 0], [], 8, BY_STEPS, r"'lags' must be at least one, each at least 0"),
        (INPUTS[:1], INPUTS[:1, :, 0], [-1, 3], 8, BY_STEPS, r"'lags' must be at least one, each at least 0"),
        (INPUTS[:1], np.ones((1, 20)), [1], 8, BY_STEPS, r"'inputs' must be not all the same. Got 1.0"),
        (INPUTS, INPUTS[..., 0], [1], 8, BY_STEPS, r"'number of sequences' must be a single one .*'steps'.* Got 3"),
        (INPUTS[:1], INPUTS[:1, :, 0], [1], 8, {"held_out": "sequences"}, r"must be at least 2 .*'sequences'.* Got 1"),
        (INPUTS, INPUTS[..., 0], [1], 8, {"held_out": "units"}, r"'held_out' must be one of sequences, steps. Got"),
        (INPUTS, INPUTS[:2, :, 0], [1], 8, {"held_out": "sequences"}, r"'inputs' must be of shape \(3, 20\), as the"),
        (np.full((1, 20, 2), np.nan), INPUTS[:1, :, 0], [1], 8, BY_STEPS, r"'states' must be finite"),
        (INPUTS[:1], INPUTS[:1, :, 0], [1], 8, BY_STEPS | {"quantity": "r"}, r"'quantity' must be one of explained"),
    ],
)
def test_what_has_no_memory_capacity_is_named(states, inputs, lags, washout, settings, message) -> None:
    with pytest.raises(InputError, match=message):
        memory_capacity(states, inputs, lags, washout, **settings)


def test_shares_of_memory_are_those_of_a_small_case() -> None:
    """ŷ = (1, 2, 3, 6) for x = (2, 2, 4, 4), of variance 1: the mean squared error is (1 + 0 + 1 + 4)/4."""
    predictions, targets = np.array([[1.0], [2.0], [3.0], [6.0]]), np.array([[2.0], [2.0], [4.0], [4.0]])
    assert explained(predictions, targets) == pytest.approx([0.0])  # 1 - 1.5
    assert explained(targets + np.eye(4, 1), targets) == pytest.approx([0.75])
    # deviations (-2, -1, 0, 3) and (-1, -1, 1, 1): products 6, squares 14 and 4
    assert squared_correlation(predictions, targets) == pytest.approx([36 / 56])
    assert squared_correlation(3 * targets - 1, targets) == pytest.approx([1.0])
    assert squared_correlation(np.ones((4, 1)), targets) == pytest.approx([0.0])


def test_a_delay_line_recalls_what_it_holds_and_no_reservoir_more_than_its_units() -> None:
    series, lags = np.random.default_rng(5).uniform(-1, 1, (1, 4000, 1)), list(range(1, 31))
    line = Reservoir(np.eye(8, k=-1), 1e-3 * np.eye(8, 1), np.zeros(8))
    for quantity in ("explained", "squared_correlation"):
        capacity = memory_capacity(line.states(series), series[..., 0], lags, 100, quantity=quantity, **BY_STEPS)
        np.testing.assert_allclose(capacity, [1.0] * 7 + [0.0] * 23, atol=0.01)
    reservoir = draw_reservoir(12, 1, 1, 0, input_scale=0.1)
    states = reservoir.states(series)
    capacity = memory_capacity(states, series[..., 0], [0, *lags], 100, **BY_STEPS)
    assert 5 < capacity.sum() < 12
    noisy = states + np.random.default_rng(6).normal(size=states.shape)
    assert memory_capacity(noisy, series[..., 0], lags, 100, **BY_STEPS).sum() < capacity.sum()


@pytest.mark.parametrize("quantity", ["explained", "squared_correlation"])
@pytest.mark.parametrize("recurrence", ["cycle", "orthogonal"])
def test_an_orthogonal_recurrence_recalls_as_many_inputs_as_it_has_units(recurrence: str, quantity: str) -> None:
    """h_t = Q h_{t-1} + v x_t is n independent functions of t ≥ n inputs: shares sum to n. Its size grows with t."""
    units, steps = 8, 30
    generator = np.random.default_rng(7)
    cycle = np.roll(np.eye(units), 1, 0)
    q = cycle if recurrence == "cycle" else np.linalg.qr(generator.normal(size=(units, units)))[0]
    v = np.eye(units)[0] if recurrence == "cycle" else generator.normal(size=units)
    inputs = generator.normal(size=(4000, steps))
    states, state = np.empty((4000, steps, units)), np.zeros((4000, units))
    for t in range(steps):
        state = state @ q.T + inputs[:, t, None] * v
        states[:, t] = state
    lags = list(range(steps))
    capacity = memory_capacity(states, inputs, lags, steps - 1, held_out="sequences", quantity=quantity)
    assert capacity.sum() == pytest.approx(units, rel=0.03)
    if recurrence == "cycle":  # a unit is the sum of inputs that are a multiple of n steps apart: of 4, or of 3
        expected = np.array([1 / len(range(lag % units, steps, units)) for lag in lags])
        np.testing.assert_allclose(capacity, expected, atol=0.05)


def test_what_grows_has_a_memory_by_sequences_and_another_by_steps() -> None:
    """A sum of all inputs recalls 1/t of each: shares add up to 1, and fitted on early steps to much less."""
    inputs = np.random.default_rng(8).normal(size=(2000, 64))
    states = inputs.cumsum(1)[..., None]
    lags = list(range(32))
    capacity = memory_capacity(states, inputs, lags, 32, held_out="sequences")
    expected = sum(1 / t for t in range(33, 65)) / 32  # the mean over steps of 1/t, about
    np.testing.assert_allclose(capacity, expected, rtol=0.15)
    late = [memory_capacity(states[[k]], inputs[[k]], lags, 32, **BY_STEPS).sum() for k in range(40)]
    assert np.mean(late) < 0.9 * capacity.sum()


def test_squared_correlations_are_those_of_reservoirpy() -> None:
    series, longest = np.random.default_rng(9).uniform(-0.8, 0.8, (6040, 1)), 40
    theirs = peer.Reservoir(30, sr=0.9, input_scaling=0.1, rc_connectivity=0.3, seed=3)
    model = theirs >> peer.Ridge(ridge=1e-9)
    peer_capacity = peer_memory_capacity(model, longest, as_list=True, series=series, test_size=0.5)
    theirs.initialize(series)
    dense = [
        matrix.toarray() if hasattr(matrix, "toarray") else np.asarray(matrix) for matrix in (theirs.W, theirs.Win)
    ]
    bias = np.asarray(theirs.bias.toarray() if hasattr(theirs.bias, "toarray") else theirs.bias).ravel()
    states = Reservoir(dense[0], dense[1], np.broadcast_to(bias, 30).astype(float)).states(series[None])
    settings = {"held_out": "steps", "quantity": "squared_correlation", "penalty": 1e-9}
    capacity = memory_capacity(states, series[None, :, 0], range(1, longest + 1), longest, **settings)
    assert capacity.sum() == pytest.approx(peer_capacity.sum(), rel=0.02)
    np.testing.assert_allclose(capacity, peer_capacity, atol=0.06)
    shares = memory_capacity(states, series[None, :, 0], range(1, longest + 1), longest, held_out="steps")
    assert shares.sum() < capacity.sum()


def test_few_samples_make_memory_smaller_and_never_larger_than_the_units() -> None:
    """A readout seems to recall units/samples of its own samples at each lag, even where there is nothing."""
    lags, units = list(range(1, 121)), 20
    reservoir = draw_reservoir(units, 1, 1, 0, input_scale=0.1)
    held_out, in_sample, samples = [], [], 200
    for steps in (samples, 20 * samples):
        series = np.random.default_rng(steps).uniform(-1, 1, (1, steps + 120, 1))
        states = reservoir.states(series)
        held_out.append(memory_capacity(states, series[..., 0], lags, 120, **BY_STEPS).sum())
        past = np.stack([np.roll(series[..., 0], lag, 1) for lag in lags], -1)
        weights, offset = fit_readout(states, past, 0.0, 120)
        errors = (states @ weights + offset - past)[:, 120:].var((0, 1))
        in_sample.append((1 - errors / past[:, 120:].var((0, 1))).sum())
    assert held_out[0] < held_out[1] < in_sample[1] < units < in_sample[0]
    assert in_sample[0] - in_sample[1] == pytest.approx(units / samples * (len(lags) - in_sample[1]), rel=0.2)


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
    exponents = lyapunov_exponents(reservoir, series[0], 6, 0, 1, 0)
    assert exponents.sum() == pytest.approx(logs / 60)
    assert (np.diff(exponents) <= 0).all()
    still = lyapunov_exponents(reservoir, np.zeros((2000, 1)), 1, 500, 1, 0)
    eigenvalues = 0.3 + 0.7 * np.linalg.eigvals(reservoir.recurrent)
    assert still[0] == pytest.approx(np.log(np.abs(eigenvalues).max()), abs=1e-3)
    line = Reservoir(np.eye(4, k=-1), np.eye(4, 1), np.zeros(4))
    np.testing.assert_array_equal(lyapunov_exponents(line, series[0], 4, 10, 1, 0), -np.inf)


def test_products_of_jacobians_are_those_from_the_given_start() -> None:
    """Lags are at most the steps, so that the start itself is a state of the product."""
    reservoir, start = draw_reservoir(6, 1, 1, 0), np.random.default_rng(11).uniform(-1, 1, (1, 6))
    series, apart = np.random.default_rng(7).normal(size=(1, 5, 1)), 1e-6
    ends = [
        (reservoir.states(series, start + apart * unit) - reservoir.states(series, start - apart * unit))[0, -1]
        for unit in np.eye(6)
    ]
    expected = np.linalg.norm(np.stack(ends, 1) / (2 * apart), 2)
    assert largest_stretch(reservoir, series, 5, start)[0, 5] == pytest.approx(expected, rel=1e-6)
    assert abs(largest_stretch(reservoir, series, 5)[0, 5] / expected - 1) > 0.01


def test_without_inputs_the_exponent_is_the_logarithm_of_the_spectral_radius() -> None:
    symmetric = np.random.default_rng(12).normal(size=(30, 30))
    symmetric += symmetric.T
    for radius in (0.5, 0.95, 1.0):
        weights = symmetric * (radius / spectral_radius_of(symmetric))
        exponents = lyapunov_exponents(
            Reservoir(weights, np.zeros((30, 1)), np.zeros(30)), np.zeros((900, 1)), 1, 300, 1, 0
        )
        assert exponents[0] == pytest.approx(np.log(radius), abs=1e-3)


def test_the_largest_exponent_is_how_fast_two_close_states_part() -> None:
    """Below 0 and above, of one reservoir and of a deep one."""
    series = np.random.default_rng(10).normal(size=(60, 1))
    exponents = []
    for radius in (0.8, 3.0):
        settings = {"spectral_radius": radius, "input_scale": 0.1, "leak": 0.8}
        for reservoir in (draw_reservoir(20, 1, 1, 0, **settings), draw_deep_reservoir([10, 10], 1, 1, 0, **settings)):
            exponents += [lyapunov_exponents(reservoir, series, 1, 10, 1, 0)[0]]
            apart = numpy_generator(1, 0, "exponents").normal(size=(1, 20))  # the vector that is moved there
            state, apart, logs = np.zeros((1, 20)), apart * 1e-8 / np.linalg.norm(apart), []
            for t in range(60):
                x = np.broadcast_to(series[t : t + 1], (2, 1, 1))
                first, second = reservoir.states(x, np.concatenate([state, state + apart]))[:, 0]
                logs.append(np.log(np.linalg.norm(second - first) / 1e-8))
                state, apart = first[None], (second - first)[None] / np.exp(logs[-1])
            assert exponents[-1] == pytest.approx(np.mean(logs[10:]), abs=1e-5)
    assert max(exponents[:2]) < 0 < min(exponents[2:])


def test_a_spectral_radius_below_1_does_not_grant_echo_states() -> None:
    """The example of Yildiz, Jaeger & Kiebel 2012: W is not normal, and beside 0 there is another attractor."""
    without = Reservoir(np.array([[2.0, 6.0], [-0.8, -2.5]]), np.zeros((2, 1)), np.zeros(2))
    still, starts = np.zeros((500, 1)), np.array([[1e-3, -1e-3], [0.9, -0.9]])
    assert np.abs(np.linalg.eigvals(without.recurrent)).max() < 0.8 < np.linalg.norm(without.recurrent, 2)
    near, far = without.states(np.stack([still, still]), starts)
    assert np.linalg.norm(near[-1]) < 1e-9 < 0.5 < np.linalg.norm(far[-1])
    np.testing.assert_allclose(far[-1], np.tanh(without.recurrent @ far[-2]), atol=1e-12)
    np.testing.assert_allclose(far[-1], far[-3], atol=1e-9)  # it is a fixed point, or of period 2
    np.testing.assert_allclose(distances(without, still, starts), np.linalg.norm(far - near, axis=-1), atol=1e-12)
    assert distances(without, still, starts)[-1] > 0.5
    assert not has_echo_states(without, still, 20, 1e-6, 1, 0)
    calm = Reservoir(without.recurrent * (0.99 / np.linalg.norm(without.recurrent, 2)), without.input, without.bias)
    assert has_echo_states(calm, np.zeros((3000, 1)), 20, 1e-6, 1, 0)


def test_a_spectral_radius_above_1_does_not_deny_them() -> None:
    driven = draw_reservoir(50, 1, 1, 0, spectral_radius=1.5, input_scale=2.0)
    strong = 3 * np.random.default_rng(9).normal(size=(400, 1))
    assert has_echo_states(driven, strong, 5, 1e-9, 1, 0)
    assert lyapunov_exponents(driven, strong, 1, 50, 1, 0)[0] < 0
    assert not has_echo_states(driven, np.zeros((400, 1)), 5, 0.1, 1, 0)  # what the inputs grant, not the weights


def test_a_largest_singular_value_below_1_grants_them_at_that_rate() -> None:
    reservoir, many = draw_reservoir(50, 1, 1, 0), np.random.default_rng(8).uniform(-1, 1, (5, 50))
    weights = reservoir.recurrent * (0.9 / np.linalg.norm(reservoir.recurrent, 2))
    small = Reservoir(weights, reservoir.input, reservoir.bias)
    series = 3 * np.random.default_rng(9).normal(size=(400, 1))
    apart = distances(small, series, many)
    assert (apart[1:] <= 0.9 * apart[:-1] + 1e-15).all()
    stretch = largest_stretch(small, series[None], 30)[0]
    assert (stretch <= 0.9 ** np.arange(31) + 1e-15).all()


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (lambda r: has_echo_states(r, INPUTS[0], 1, 1e-6, 1, 0), r"'starts' must be at least 2. Got 1"),
        (lambda r: has_echo_states(r, INPUTS[0], 2, 0.0, 1, 0), r"'tolerance' must be above 0. Got 0.0"),
        (
            lambda r: lyapunov_exponents(r, INPUTS[0], 41, 0, 1, 0),
            r"'count' must be from 1 to the units \(40\). Got 41",
        ),
        (lambda r: lyapunov_exponents(r, INPUTS[0], 1, 20, 1, 0), r"'washout' must be .* \(20\). Got 20"),
        (lambda r: largest_stretch(r, INPUTS, 21), r"'lags' must be from 0 to the steps \(20\). Got 21"),
        (lambda r: generate(r, np.ones((40, 2)), np.zeros(2), INPUTS, 0), r"'steps' must be at least 1. Got 0"),
    ],
)
def test_what_cannot_be_asked_is_named(question: Callable[[Reservoir], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        question(a_reservoir())


def test_a_series_is_continued_as_a_literal_loop_does() -> None:
    reservoir = a_reservoir()
    weights, offset = fit_readout(reservoir.states(INPUTS)[:, :-1], INPUTS[:, 1:], 1e-3, 5)
    continuation = generate(reservoir, weights, offset, INPUTS, 4)
    for n, series in enumerate(INPUTS):
        so_far = list(series)
        for t in range(4):
            h = reservoir.states(np.array([so_far]))[0, -1]
            np.testing.assert_allclose(continuation[n, t], h @ weights + offset, atol=1e-12)
            so_far.append(h @ weights + offset)


def test_a_continued_series_strays_from_the_true_one_that_forced_predictions_stay_at() -> None:
    series = Lorenz(500, 1, 0, step=0.05).generate("training", 6).inputs.astype(float)
    past, future = series[:, :400], series[:, 400:]
    for reservoir in (
        draw_reservoir(100, 3, 1, 0, density=0.1, input_scale=0.3, bias_scale=0.2),
        draw_deep_reservoir([50, 50], 3, 1, 0, density=0.2, input_scale=0.3, bias_scale=0.2),
    ):
        weights, offset = fit_readout(reservoir.states(past)[:, :-1], past[:, 1:], 1e-6, 100)
        teacher_forced = predict_next(reservoir, weights, offset, past, future)
        free = generate(reservoir, weights, offset, past, 100)
        np.testing.assert_allclose(teacher_forced[:, 0], free[:, 0], atol=1e-12)
        whole = reservoir.states(series)[:, 399:-1] @ weights + offset
        np.testing.assert_allclose(teacher_forced, whole, atol=1e-12)
        of_forced, of_free = error_growth(teacher_forced, future), error_growth(free, future)
        assert of_free[:3].max() < 0.05 and of_forced.max() < 0.05
        assert of_free[-50:].mean() > 10 * of_free[:3].max()
        assert of_free[-50:].mean() > 10 * of_forced[-50:].mean()


def test_the_error_of_the_mean_is_1_and_of_an_independent_series_the_root_of_2() -> None:
    series, independent = GENERATOR.normal(size=(2, 400, 50, 1))
    np.testing.assert_allclose(error_growth(np.full(series.shape, series.mean()), series).mean(), 1, rtol=1e-2)
    np.testing.assert_allclose(error_growth(independent, series).mean(), 2**0.5, rtol=1e-2)
    with pytest.raises(InputError, match="'following' must be a series that changes"):
        error_growth(series, np.ones(series.shape))


@pytest.mark.parametrize("shape", [(20, 2), (3, 20, 1), (3, 20, 3)])
def test_inputs_of_another_shape_are_named(shape: tuple[int, ...]) -> None:
    """A single sequence without its first axis is named too, as states(x[0])."""
    for reservoir in (a_reservoir(), draw_deep_reservoir([4, 3], 2, 1, 0)):
        with pytest.raises(InputError, match=r"'inputs' must be of shape \(sequences, steps, 2\). Got \("):
            reservoir.states(np.zeros(shape))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_is_named(bad: float) -> None:
    series = INPUTS.copy()
    series[1, 3, 0] = bad
    states = a_reservoir().states(INPUTS)
    with pytest.raises(InputError, match=r"'targets' must be finite\. Got 'NaN or infinity'"):
        fit_readout(states, series[..., 0], 1e-3, 2)
    with pytest.raises(InputError, match="'targets' must be finite"):
        choose_readout((states, series[..., 0]), (states, INPUTS[..., 0]), [1e-3], 2)
    assert np.isfinite(fit_readout(states, series[..., 0], 1e-3, 4)[0]).all()  # it lies in the washout
    for name in ("spectral_radius", "input_scale", "bias_scale"):
        with pytest.raises(InputError, match=f"'{name}' must be at least 0 and finite. Got {bad}"):
            draw_reservoir(5, 1, 1, 0, **{name: bad})
