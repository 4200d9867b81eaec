from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import torch
import xarray as xr
from torch.func import grad, jacrev, jvp

from learnability.cells import GATED
from learnability.core.errors import InputError
from learnability.networks.frozen import Frozen
from learnability.networks.network import run
from learnability.transport import ENGINES, torch_engine
from learnability.windows.draws import statistic_draws
from learnability.windows.readings import StatisticOptions
from learnability.windows.request import Request, direction
from learnability.windows.statistic import matched_statistic, matched_statistics
from networks import cell_parameters

ROOT_SEED, TIME, LAGS = 5, 11, [1, 2, 5]
TORCH = ENGINES["torch"]()
ROUNDING = 2e-7  # S at each t is kept as float32
OPTIONS = StatisticOptions(
    transport="first_order",
    orientation="per_unit",
    sign_estimate="in_sample",
    sampling="pooled",
    time_range="common",
    base_rate=False,
    error_mean="kept",
    noise="matched",
    directions=1,
)


def along_one(*arguments, **options):
    """`matched_statistic` of a reading with one direction."""
    return matched_statistic(*arguments, **options).isel(direction=0)


@pytest.fixture
def data(normal):
    return normal(3, TIME, 3), normal(3, TIME)


@pytest.fixture
def measure(network, parameters, data, engine):
    def measure(lags=LAGS, rate=1.0, **options):
        frozen = Frozen(network, parameters, *data)
        statistic = matched_statistic(frozen, lags, rate, ROOT_SEED, replace(OPTIONS, **options), engine)
        return statistic.squeeze("direction") if statistic.sizes["direction"] == 1 else statistic

    return measure


def unroll(cell, parameters, inputs):
    """s_0, …, s_T of one sequence, differentiable in the parameters."""
    states = [torch.zeros(cell.state_size, dtype=torch.float64)]
    for x in inputs:
        states.append(cell.step(parameters, states[-1], x))
    return states


def explicit_projection(cell, theta, w, inputs, kind):
    """⟨B_t, w⟩ at all t from the whole parameter Jacobian of one sequence's states."""
    before = torch.stack(unroll(cell, theta, inputs)[:-1])

    def states(p):
        return torch.stack(unroll(cell, p, inputs)[1:]) if kind == "total" else cell.step(p, before, inputs)

    jacobian = jacrev(states)(theta)
    return sum((jacobian[name] * w[name]).flatten(2).sum(2) for name in theta)


def projection(engine, cell, parameters, w, x, kind):
    """⟨B_t, w⟩ at all t."""
    (trace,) = engine.trace(cell, parameters, x, [w], kind)
    return trace.projected[0]


@pytest.mark.parametrize("kind", ["immediate", "total"])
def test_the_projection_is_the_parameter_jacobian_along_w(network, parameters, data, kind, engine):
    cell, theta, w, x = network.cell, cell_parameters(parameters), direction(network.cell, ROOT_SEED), data[0]
    result = projection(engine, cell, parameters, w, x, kind)
    for n in range(3):
        expected = explicit_projection(cell, theta, w, x[n], kind)
        torch.testing.assert_close(result[n], expected, rtol=1e-11, atol=1e-14)


def mean_rates(network, parameters, x, rate, dense_window, extra=lambda n, t, lag: 0):
    """Σ_q ⟨|μ^{(q)}|⟩ over sequences and all t > ℓ, straight."""
    theta, sums = cell_parameters(parameters), []
    for lag in LAGS:
        rates = [
            abs(rate * sum(dense_window(network, theta, states, x[n], t, lag)) + extra(n, t, lag))
            for n in range(3)
            for states in [unroll(network.cell, theta, x[n])]
            for t in range(lag + 1, TIME + 1)
        ]
        sums.append(float(torch.stack(rates).mean(0).sum()))
    return sums


def brute_force(network, parameters, x, y, times, kind, rate, dense_window):
    """μ and ζ (lag, sequence, t, unit) straight, unit by unit."""
    cell, theta, w = network.cell, cell_parameters(parameters), direction(network.cell, ROOT_SEED)
    mu, zeta = np.empty((2, len(LAGS), 3, len(times), 5))
    for n in range(3):
        states = unroll(cell, theta, x[n])
        projections = explicit_projection(cell, theta, w, x[n], kind)
        for index, t in enumerate(times):
            delta = grad(lambda s, n=n, t=t: (network.predict(parameters, s) - y[n, t - 1]) ** 2)(states[t])
            for row, lag in enumerate(LAGS):
                mu[row, n, index] = rate * sum(dense_window(network, theta, states, x[n], t, lag)).numpy()
                zeta[row, n, index] = (cell.output(delta) * cell.memory(projections[t - lag - 1])).numpy()
    return mu, zeta


@pytest.mark.parametrize("kind", ["immediate", "total"])
def test_the_statistic_is_equations_29_and_30(network, parameters, data, measure, kind, dense_window):
    mu, zeta = brute_force(network, parameters, *data, [6, 8, 10], kind, 0.25, dense_window)
    m = zeta.mean((1, 2))
    for orientation in ("per_unit", "global"):
        statistic = measure(rate=0.25, base_rate=True, time_stride=2, parameter_jacobian=kind, orientation=orientation)
        assert statistic["time"].to_numpy().tolist() == [6, 8, 10]
        if orientation == "per_unit":
            s = (mu * np.sign(m)[:, None, None] * zeta).sum(-1)
        else:
            s = (mu * zeta).sum(-1)
            s *= np.sign(s.mean((1, 2)))[:, None, None]
        np.testing.assert_allclose(statistic["statistic"], s, rtol=ROUNDING, atol=1e-14)
        np.testing.assert_allclose(statistic["alignment"], m, rtol=1e-9, atol=1e-14)
        rates = mean_rates(network, parameters, data[0], 0.25, dense_window)
        np.testing.assert_allclose(statistic["envelope"], rates, rtol=1e-11)


@pytest.mark.parametrize("architecture", ["gru"])
def test_rates_of_equation_26_add_the_products_of_gates(network, parameters, data, measure, dense_window):
    x, _ = data
    mu, zeta = brute_force(network, parameters, *data, [6, 8, 10], "immediate", 1.0, dense_window)
    states = run(network.cell, parameters, x)[:, :-1]
    z, r = network.cell.gate(parameters, states, x), network.cell.reset(parameters, states, x)
    for row, lag in enumerate(LAGS):
        for index, t in enumerate([6, 8, 10]):
            for gates in (r, (1 - z) * r):
                mu[row, :, index] += gates[:, t - lag : t].prod(1).numpy()
    statistic = measure(time_stride=2, gru_rates="eq26")
    s = (mu * np.sign(zeta.mean((1, 2)))[:, None, None] * zeta).sum(-1)
    np.testing.assert_allclose(statistic["statistic"], s, rtol=ROUNDING, atol=1e-14)

    def gate_products(n, t, lag):
        return r[n, t - lag : t].prod(0) + ((1 - z) * r)[n, t - lag : t].prod(0)

    rates = mean_rates(network, parameters, x, 1.0, dense_window, gate_products)
    np.testing.assert_allclose(statistic["envelope"], rates, rtol=1e-11)


@pytest.mark.parametrize("kind", ["immediate", "total"])
def test_one_sign_for_all_units_makes_the_mean_positive(measure, kind):
    statistic = measure(orientation="global", parameter_jacobian=kind)
    assert (statistic["statistic"].mean(("sequence", "time")) > 0).all()


@pytest.mark.parametrize("orientation", ["per_unit", "global"])
def test_cross_fitted_signs_are_those_of_the_other_half(network, parameters, data, measure, dense_window, orientation):
    mu, zeta = brute_force(network, parameters, *data, [6, 8, 10], "immediate", 1.0, dense_window)
    expected = np.empty((len(LAGS), 3, 3))
    first, second = slice(0, 2), slice(2, 3)
    for fold, opposite in ((first, second), (second, first)):
        if orientation == "per_unit":
            signs = np.sign(zeta[:, opposite].mean((1, 2)))[:, None, None]
            expected[:, fold] = (mu * signs * zeta)[:, fold].sum(-1)
        else:
            s = (mu * zeta).sum(-1)
            expected[:, fold] = s[:, fold] * np.sign(s[:, opposite].mean((1, 2)))[:, None, None]
    statistic = measure(time_stride=2, orientation=orientation, sign_estimate="cross_fit")
    np.testing.assert_allclose(statistic["statistic"], expected, rtol=ROUNDING, atol=1e-14)


def test_cross_fitting_needs_another_sequence(network, parameters, data):
    single, options = Frozen(network, parameters, *data).first(1), replace(OPTIONS, sign_estimate="cross_fit")
    with pytest.raises(InputError, match="'sequences' must be at least 2, 1 in each fold"):
        along_one(single, LAGS, 1.0, ROOT_SEED, options, TORCH)


@pytest.mark.parametrize("transport", ["first_order", "exact"])
def test_sampling_takes_all_pairs_or_the_last_t_or_the_mean_of_each_sequence(measure, transport):
    all_pairs = measure(transport=transport, orientation="global")
    last = measure(transport=transport, orientation="global", sampling="last")
    mean = measure(transport=transport, orientation="global", sampling="sequence_mean")
    assert last["time"].to_numpy().tolist() == [TIME]
    np.testing.assert_allclose(abs(last["statistic"]), abs(all_pairs["statistic"].sel(time=[TIME])), rtol=ROUNDING)
    assert mean["statistic"].dims == ("lag", "sequence")
    np.testing.assert_allclose(mean["statistic"], all_pairs["statistic"].mean("time"), rtol=ROUNDING, atol=1e-8)
    for name in ("alignment", "envelope"):
        np.testing.assert_array_equal(mean[name], all_pairs[name])


@pytest.mark.parametrize("transport", ["first_order", "exact"])
def test_total_noise_is_the_gradient_of_the_loss_at_t_along_w(network, parameters, data, measure, transport):
    theta, w, (x, y) = cell_parameters(parameters), direction(network.cell, ROOT_SEED), data
    options = {"orientation": "global", "noise": "total", "transport": transport, "sign_estimate": "cross_fit"}
    total = measure(**options, base_rate=True, rate=0.5, time_stride=2)["total"]
    assert total.dims == ("sequence", "time")
    for n in range(3):
        for t in total["time"].to_numpy().tolist():

            def loss(p, n=n, t=t):
                return (network.predict(parameters, unroll(network.cell, p, x[n])[t]) - y[n, t - 1]) ** 2

            slope = jvp(loss, (theta,), (w,))[1].item()
            assert total.sel(sequence=n, time=t).item() == pytest.approx(0.5 * slope, rel=1e-10)
    means = measure(**options, base_rate=True, rate=0.5, time_stride=2, sampling="sequence_mean")["total"]
    np.testing.assert_allclose(means, total.mean("time"), rtol=1e-10)


def test_signs_by_unit_make_the_mean_that_of_equation_31(diagonal_network, data):
    statistic = along_one(Frozen(*diagonal_network, *data), LAGS, 1.0, ROOT_SEED, OPTIONS, TORCH)
    expected = [0.3**lag * abs(statistic["alignment"].sel(lag=lag)).sum() for lag in LAGS]
    np.testing.assert_allclose(statistic["statistic"].mean(("sequence", "time")), expected, rtol=ROUNDING)


def test_the_contributions_of_all_lags_sum_to_the_gradient_of_the_loss_at_t_along_w(diagonal_network, data):
    # With μ exact, Eq. 2: dE_t/dθ · w = Σ_ℓ δ_tᵀ M_{t,ℓ} B_{t-ℓ} w, ℓ = 0, …, t - 1, B the immediate partial.
    (network, parameters), (x, y) = diagonal_network, data
    options = replace(OPTIONS, orientation="global")
    statistic = along_one(Frozen(*diagonal_network, *data), range(1, TIME), 1.0, ROOT_SEED, options, TORCH)
    assert statistic["time"].to_numpy().tolist() == [TIME]
    signs = np.sign(statistic["alignment"].sum("unit"))  # of each lag's mean, as μ > 0 is the same for all units
    theta, w = cell_parameters(parameters), direction(network.cell, ROOT_SEED)
    for n in range(3):

        def loss(p, n=n):
            return (network.predict(parameters, unroll(network.cell, p, x[n])[TIME]) - y[n, -1]) ** 2

        states = run(network.cell, parameters, x)
        delta = 2 * (network.predict(parameters, states[n, -1]) - y[n, -1]) * parameters["w"]
        now = delta @ projection(TORCH, network.cell, parameters, w, x, "immediate")[n, -1]
        earlier = (signs * statistic["statistic"].isel(sequence=n, time=0)).sum()
        assert now.item() + earlier.item() == pytest.approx(jvp(loss, (theta,), (w,))[1].item(), rel=1e-6)


def test_the_total_jacobian_at_t_gives_the_gradient_of_the_loss_at_t_along_w(network, parameters, data):
    x, y = data
    theta, w, states = cell_parameters(parameters), direction(network.cell, ROOT_SEED), run(network.cell, parameters, x)
    total = projection(TORCH, network.cell, parameters, w, x, "total")
    for n, t in ((0, 1), (1, 6), (2, TIME)):

        def loss(p, n=n, t=t):
            return (network.predict(parameters, unroll(network.cell, p, x[n])[t]) - y[n, t - 1]) ** 2

        delta = 2 * (network.predict(parameters, states[n, t]) - y[n, t - 1]) * parameters["w"]
        slope = jvp(loss, (theta,), (w,))[1].item()
        assert (delta @ network.cell.output(total)[n, t - 1]).item() == pytest.approx(slope, rel=1e-10)


def test_the_base_rate_only_scales(measure):
    plain, with_rate = measure(rate=1e-3, base_rate=False), measure(rate=1e-3, base_rate=True)
    np.testing.assert_allclose(with_rate["statistic"], 1e-3 * plain["statistic"], rtol=ROUNDING)
    np.testing.assert_allclose(with_rate["envelope"], 1e-3 * plain["envelope"], rtol=1e-12)
    np.testing.assert_array_equal(with_rate["alignment"], plain["alignment"])
    assert (plain.attrs["base_rate"], with_rate.attrs["base_rate"]) == (1, 1e-3)


def test_in_common_every_lag_sees_the_same_t_and_a_stride_keeps_some_of_them(measure):
    all_of_them, strided_times = measure(), measure(time_stride=3)
    assert all_of_them["time"].to_numpy().tolist() == [6, 7, 8, 9, 10, 11]
    assert strided_times["time"].to_numpy().tolist() == [6, 9]
    assert measure(lags=[TIME - 1])["time"].to_numpy().tolist() == [TIME]


@pytest.mark.parametrize("transport", ["first_order", "exact"])
def test_of_all_t_each_lag_has_those_beyond_it(measure, transport):
    options = {"transport": transport, "orientation": "global"}
    common, every_time = measure(**options), measure(**options, time_range="all")
    assert every_time["time"].to_numpy().tolist() == list(range(1, TIME + 1))
    for lag, draws, values in zip(LAGS, statistic_draws(every_time), every_time["statistic"].to_numpy(), strict=True):
        assert draws.shape == (3, TIME - lag)
        assert not values[:, :lag].any() and draws.all()
    later = every_time["statistic"].sel(time=common["time"])
    np.testing.assert_allclose(abs(later), abs(common["statistic"]), rtol=ROUNDING)
    mean = measure(**options, time_range="all", sampling="sequence_mean")
    np.testing.assert_allclose(mean["statistic"], every_time["statistic"].sum("time") / TIME, rtol=ROUNDING, atol=1e-8)


def test_signs_of_batches_are_those_of_the_mean_of_each(network, parameters, normal):
    frozen = Frozen(network, parameters, normal(7, TIME, 3), normal(7, TIME))
    options = replace(OPTIONS, orientation="global", time_range="all")
    whole, in_batches = (
        along_one(frozen, LAGS, 1.0, ROOT_SEED, replace(options, sign_batch=size), TORCH) for size in (0, 3)
    )
    plain = whole["statistic"] * whole["orientation"]
    for batch in (slice(0, 3), slice(3, 6), slice(6, 7)):
        rows = plain.isel(sequence=batch)
        expected = rows * np.sign(rows.sum(("sequence", "time")))
        np.testing.assert_allclose(in_batches["statistic"].isel(sequence=batch), expected, rtol=ROUNDING)


@pytest.mark.parametrize(
    "options", [{"orientation": "per_unit"}, {"orientation": "global", "sign_estimate": "cross_fit"}]
)
def test_batches_have_one_sign_from_their_own_data(options):
    with pytest.raises(InputError, match="with sign_batch"):
        replace(OPTIONS, sign_batch=4, **options)


def test_requests_together_are_what_each_is_alone(network, parameters, normal, engine):
    x, y, other_targets = normal(7, TIME, 3), normal(7, TIME), normal(7, TIME)
    frozen, lags = Frozen(network, parameters, x, y), [1, 2, 5, 7]
    settings = [
        {},
        {"transport": "exact"},
        {"transport": "exact", "sign_estimate": "cross_fit", "error_mean": "removed"},
        {"orientation": "global", "parameter_jacobian": "total", "error_signal": "residual", "gru_rates": "eq26"},
        {"orientation": "global", "noise": "total", "sampling": "sequence_mean", "directions": 2, "time_range": "all"},
        {"orientation": "global", "noise": "total", "transport": "exact", "time_stride": 2},
        {"orientation": "global", "transport": "exact", "sampling": "last", "base_rate": True},
    ]
    plain = [Request(replace(OPTIONS, **options), lags[: 3 + row % 2]) for row, options in enumerate(settings)]
    requests = [
        *plain,
        *(request._replace(shift_errors=True) for request in plain),
        plain[1]._replace(targets=other_targets),
    ]
    together = list(matched_statistics(frozen, requests, 0.5, ROOT_SEED, engine))
    for request, statistic in zip(requests, together, strict=True):
        alone = frozen if request.targets is None else frozen._replace(targets=other_targets)
        (expected,) = matched_statistics(alone, [request._replace(targets=None)], 0.5, ROOT_SEED, engine)
        xr.testing.assert_allclose(statistic, expected, rtol=ROUNDING, atol=1e-9)


@pytest.mark.parametrize("engine", ["torch"], indirect=True)
def test_chunks_of_the_computation_do_not_show(measure, monkeypatch):
    whole = measure()
    for chunk, steps, numbers in ((1, 3, 2**16), (2, 50, 1)):
        monkeypatch.setattr(torch_engine, "SEQUENCES", chunk)
        monkeypatch.setattr(torch_engine, "STEPS", steps)
        monkeypatch.setattr(torch_engine, "CACHED_NUMBERS", numbers)
        split = measure()
        for name in whole:
            np.testing.assert_allclose(split[name], whole[name], rtol=ROUNDING, atol=1e-15)


def test_the_order_of_the_parameters_does_not_matter(network, parameters, data):
    # Files give them back in alphabetical order.
    for kind in ("immediate", "total"):
        options = replace(OPTIONS, parameter_jacobian=kind)
        result, expected = (
            along_one(Frozen(network, p, *data), LAGS, 1.0, ROOT_SEED, options, TORCH)
            for p in (dict(sorted(parameters.items())), parameters)
        )
        assert result.equals(expected)


@pytest.mark.parametrize("lags", [[], [2, 1], [TIME]], ids=str)
def test_lags_beyond_the_sequence_are_refused(measure, lags):
    with pytest.raises(InputError, match="'lags' must be"):
        measure(lags=lags)


@pytest.mark.parametrize("key, value", [(key, "by_ship") for key in StatisticOptions.CHOICES])
def test_options_that_do_not_exist_are_refused_by_name(key, value):
    with pytest.raises(InputError, match=f"'{key}' must be one of .* Got '{value}'"):
        replace(OPTIONS, **{key: value})


@pytest.mark.parametrize("key", ["time_stride", "directions"])
def test_counts_below_one_are_refused(key):
    with pytest.raises(InputError, match=rf"'{key}' must be at least 1\. Got 0"):
        replace(OPTIONS, **{key: 0})


def test_the_error_signal_of_the_published_code_is_half_the_gradient(measure):
    whole, half = (measure(error_signal=signal)["statistic"] for signal in ("gradient", "residual"))
    np.testing.assert_allclose(half, whole / 2, rtol=ROUNDING)


# Errors are the same whatever the cell: one has all settings, the others one.
SETTINGS = [
    ("per_unit", "matched", "pooled"),
    ("global", "matched", "pooled"),
    ("global", "total", "pooled"),
    ("global", "total", "sequence_mean"),
]
FIRST_CELL, *OTHER_CELLS = GATED
OF_CELLS = [
    *product([FIRST_CELL], ["first_order", "exact"], SETTINGS, [1, 2], [False, True]),
    *product(OTHER_CELLS, ["exact"], SETTINGS[-1:], [2], [True]),
]


@pytest.mark.parametrize(("architecture", "transport", "setting", "folds", "shift"), OF_CELLS)
def test_errors_less_their_mean_are_those_of_other_targets(
    network, parameters, normal, engine, transport, setting, folds, shift
):
    orientation, noise, sampling = setting
    # The same as targets with which a sequence has those errors of its own.
    x, y = normal(6, TIME, 3), normal(6, TIME)
    predictions = network.predict(parameters, run(network.cell, parameters, x)[:, 1:])
    other_errors = []
    for fold in (predictions - y).tensor_split(folds):
        count = len(fold)
        other_errors += [fold[(n + shift) % count] - fold[np.arange(count) != n].mean(0) for n in range(count)]
    options = replace(OPTIONS, transport=transport, orientation=orientation, noise=noise, sampling=sampling)
    options = replace(options, sign_estimate="cross_fit" if folds == 2 else "in_sample")

    def measure_targets(targets, error_mean, shift):
        frozen, reading = Frozen(network, parameters, x, targets), replace(options, error_mean=error_mean)
        return along_one(frozen, LAGS, 1.0, ROOT_SEED, reading, engine, shift_errors=shift)

    expected = measure_targets(predictions - torch.stack(other_errors), "kept", False)
    # Errors of another sequence are always less their mean.
    for error_mean, bias in product(["removed", *(["kept"] if shift else [])], [0, torch.arange(TIME)]):
        statistic = measure_targets(y + bias, error_mean, shift)
        for name in ("statistic", *(["total"] if noise == "total" else [])):
            np.testing.assert_allclose(statistic[name], expected[name], rtol=ROUNDING, atol=1e-9)


def test_without_their_mean_errors_leave_a_covariance(network, parameters, normal):
    x, y = normal(4, TIME, 3), normal(4, TIME)
    frozen = Frozen(network, parameters, x, y)
    options = replace(OPTIONS, transport="exact", orientation="global", noise="total", error_mean="removed")
    statistic = along_one(frozen, LAGS, 1.0, ROOT_SEED, options, TORCH)
    w, theta = direction(network.cell, ROOT_SEED), cell_parameters(parameters)
    projections = torch.stack([explicit_projection(network.cell, theta, w, sequence, "total") for sequence in x])
    error = 2 * (network.predict(parameters, run(network.cell, parameters, x)[:, 1:]) - y)
    slope = network.cell.output(projections) @ parameters["w"]  # of the prediction, along w
    for index, t in enumerate(statistic["time"].to_numpy() - 1):
        expected = np.cov(error[:, t], slope[:, t])[0, 1]
        assert float(statistic["total"].isel(time=index).mean()) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("signs, folds", [("in_sample", 1), ("cross_fit", 2)])
@pytest.mark.parametrize("error_mean, shift, of_each", [("removed", False, 2), ("removed", True, 3), ("kept", True, 3)])
def test_too_few_sequences_for_a_mean_of_others_are_refused(
    network, parameters, normal, signs, folds, error_mean, shift, of_each
):
    options, count = replace(OPTIONS, sign_estimate=signs, error_mean=error_mean), folds * of_each
    frozen = Frozen(network, parameters, normal(count, TIME, 3), normal(count, TIME))
    statistic = matched_statistic(frozen, LAGS, 1.0, ROOT_SEED, options, TORCH, shift_errors=shift)
    assert np.isfinite(statistic["statistic"]).all() and statistic["statistic"].all()
    with pytest.raises(InputError, match=rf"must be at least {count}, {of_each} in each fold\. Got {count - 1}"):
        matched_statistic(frozen.first(count - 1), LAGS, 1.0, ROOT_SEED, options, TORCH, shift_errors=shift)


@pytest.mark.parametrize("transport", ["first_order", "exact"])
@pytest.mark.parametrize("orientation", ["per_unit", "global"])
def test_directions_together_are_what_each_is_alone(measure, monkeypatch, transport, orientation):
    options = {"transport": transport, "orientation": orientation, "sign_estimate": "cross_fit"}
    if orientation == "global":
        options |= {"noise": "total", "sampling": "sequence_mean"}
    together, first = measure(directions=3, **options), measure(**options)
    monkeypatch.setattr(
        "learnability.windows.statistic.direction", lambda cell, root_seed, number: direction(cell, root_seed, 2)
    )
    for number, alone in ((0, first), (2, measure(**options))):
        xr.testing.assert_allclose(together.isel(direction=number), alone, rtol=ROUNDING)


def test_the_product_of_equation_31_weighs_alignments_by_rates(network, parameters, data, engine):
    # Of one sequence and t > ℓ, ⟨|μ|⟩ |⟨ζ⟩| = |μ ζ|: S, with signs sgn ζ, adds up the same but for the sign of μ.
    single = Frozen(network, parameters, *data).first(1)
    statistic = along_one(single, [TIME - 1], 1.0, ROOT_SEED, OPTIONS, engine).isel(time=0, sequence=0)
    assert (statistic["product"] >= np.abs(statistic["statistic"]) - 1e-15).all()
