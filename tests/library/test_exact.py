from itertools import product

import numpy as np
import pytest
import torch
from torch.func import grad

from learnability.cells import GATED
from learnability.core.errors import InputError
from learnability.networks.network import run
from learnability.transport import Probes, exact_table, exact_transport
from learnability.transport.exact import exact_sums
from networks import LAYER_NORM, cell_parameters

ROOT_SEED, TIME = 5, 9


@pytest.fixture(params=[*GATED, *LAYER_NORM])
def architecture(request):
    return request.param


def jacobians(network, parameters, states, x):
    """Whole one-step Jacobians of one sequence, by t from 1."""
    return {t: network.cell.linearize(parameters, states[t - 1], x[t - 1]).split().whole for t in range(1, len(x) + 1)}


def test_row_vectors_cross_the_same_steps_as_whole_products(network, parameters, normal):
    x, cell = normal(2, TIME, 3), network.cell
    states = run(cell, parameters, x)
    steps, lags = cell.linearize(parameters, states[:, :-1], x), [1, 2, 5]
    rho, projections, errors = normal(2, TIME, cell.state_size), normal(2, 2, TIME, cell.state_size), normal(3, 2, TIME)
    signs, pairs = normal(2, 3, cell.state_size).sign(), [(2, 0), (1, 1)]
    result = exact_sums(steps, Probes(rho, projections, signs, errors, pairs, 2), lags)
    for row, lag in enumerate(lags):
        alignment, magnitude = torch.zeros(2, cell.state_size, dtype=torch.float64), 0.0
        sums = torch.zeros(3, 2, 2, dtype=torch.float64)
        for n, t in product(range(2), range(lag + 1, TIME + 1)):
            by_time = jacobians(network, parameters, states[n], x[n])
            whole = by_time[t]
            for j in range(t - 1, t - lag, -1):
                whole = whole @ by_time[j]
            v = rho[n, t - 1] @ whole
            magnitude += (v.norm() / rho[n, t - 1].norm()).item()
            for d in range(2):
                zeta = v * projections[d, n, t - lag - 1]
                expected = (signs[d, row] * zeta).sum()
                assert result.values[d, row, n, t - 1].item() == pytest.approx(expected.item(), rel=1e-10)
                sums[:, d, n] += errors[:, n, t - 1] * expected
                for pair, (error, probe) in enumerate(pairs):
                    if probe == d:
                        alignment[pair] += errors[error, n, t - 1] * zeta
        torch.testing.assert_close(result.sums[:, :, row], sums, rtol=1e-10, atol=1e-12)
        torch.testing.assert_close(result.alignment[:, row], alignment, rtol=1e-10, atol=1e-12)
        assert result.magnitude[row].item() == pytest.approx(magnitude, rel=1e-12)
        assert not result.values[:, row, :, :lag].any()


def test_all_lags_together_are_the_gradient_of_the_loss_at_t(network, parameters, normal):
    # Eqs. 2 and 27, with w each parameter in turn: nothing is dropped.
    x, y, cell, t = normal(1, TIME, 3), normal(1), network.cell, TIME
    states, theta = run(cell, parameters, x), cell_parameters(parameters)
    steps = cell.linearize(parameters, states[:, :-1], x)

    def loss(p):
        state = torch.zeros(cell.state_size, dtype=torch.float64)
        for inputs in x[0]:
            state = cell.step(p, state, inputs)
        return (network.predict(parameters, state) - y[0]) ** 2

    expected = grad(loss)(theta)
    rho = grad(lambda state: network.predict(parameters, state))(states[0, t]).expand(1, TIME, -1)
    errors = torch.zeros(1, 1, TIME, dtype=torch.float64)
    errors[..., t - 1] = 2 * (network.predict(parameters, states[0, t]) - y[0])
    lags, signs = range(1, TIME), torch.ones(1, TIME - 1, cell.state_size, dtype=torch.float64)
    for name, parameter in theta.items():
        for index in np.ndindex(tuple(parameter.shape)):
            w = {key: torch.zeros_like(p) for key, p in theta.items()}
            w[name][index] = 1
            projections = steps.along_parameters(w)[None]
            result = exact_sums(steps, Probes(rho, projections, signs, errors), lags)
            whole = (errors[0, 0, t - 1] * (rho[0, 0] @ projections[0, 0, t - 1]) + result.sums.sum()).item()
            assert whole == pytest.approx(expected[name][index].item(), rel=1e-9, abs=1e-13)


@pytest.mark.parametrize("lags", [[1, 2, 5], [7]], ids=str)
def test_whole_products_give_diagonals_norms_and_spectra(network, parameters, normal, lags):
    x, cell = normal(4, TIME, 3), network.cell
    transport, states = exact_transport(network, parameters, x, lags, ROOT_SEED), run(cell, parameters, x)
    for lag in lags:
        blocks = []
        for n, t in enumerate(transport["end"].to_numpy().tolist()):
            by_time, product = jacobians(network, parameters, states[n], x[n]), torch.eye(cell.state_size).double()
            for j in range(t - lag + 1, t + 1):
                product = by_time[j] @ product
            blocks.append(product[:5, -5:].numpy())
        at, blocks = transport.sel(lag=lag), np.stack(blocks)
        diagonal, singular = np.diagonal(blocks, axis1=1, axis2=2), np.linalg.svd(blocks, compute_uv=False)
        np.testing.assert_allclose(at["diagonal"], diagonal.mean(0), rtol=1e-9, atol=1e-15)
        np.testing.assert_allclose(at["magnitude"], abs(diagonal).mean(0), rtol=1e-9)
        np.testing.assert_allclose(at["spectral_norm"], singular[:, 0], rtol=1e-9)
        np.testing.assert_allclose(at["nuclear_norm"], singular.sum(1), rtol=1e-9)
        np.testing.assert_allclose(at["condition"], np.linalg.cond(blocks), rtol=1e-5)
        np.testing.assert_allclose(at["singular_value"], singular.mean(0), rtol=1e-6, atol=1e-12)
        off = 1 - (diagonal**2).sum(1) / (blocks**2).sum((1, 2))
        np.testing.assert_allclose(at["off_diagonal"], off, rtol=1e-8, atol=1e-12)


def test_first_order_rates_stand_beside_them_on_the_same_windows(network, parameters, normal, dense_window):
    x, lags = normal(4, TIME, 3), [1, 3, 6]
    transport, states = exact_transport(network, parameters, x, lags, ROOT_SEED), run(network.cell, parameters, x)
    ends = transport["end"].to_numpy().tolist()
    assert set(ends) <= set(range(7, TIME + 1))
    for lag in lags:
        rates = [abs(sum(dense_window(network, parameters, states[n], x[n], t, lag))) for n, t in enumerate(ends)]
        expected = torch.stack(rates).mean(0).numpy()
        np.testing.assert_allclose(transport.sel(lag=lag)["first_order"], expected, rtol=1e-10, atol=1e-16)


def test_without_recurrent_weights_first_order_is_all_there_is(diagonal_network, normal):
    transport = exact_transport(*diagonal_network, normal(3, TIME, 3), [1, 4], ROOT_SEED)
    table = exact_table(transport).set_index("lag")
    for lag in (1, 4):
        assert table["exact"][lag] == pytest.approx(5 * 0.3**lag, rel=1e-12)
        assert table["nuclear_norm"][lag] == pytest.approx(5 * 0.3**lag, rel=1e-12)
        assert table["relative_error"][lag] < 1e-12
        assert table["off_diagonal"][lag] < 1e-12
        assert table["condition"][lag] == pytest.approx(1, rel=1e-12)


def test_the_table_is_relative_to_the_exact_diagonal(network, parameters, normal):
    transport = exact_transport(network, parameters, normal(3, TIME, 3), [2, 5], ROOT_SEED)
    table = exact_table(transport).set_index("lag")
    for lag in (2, 5):
        at = transport.sel(lag=lag)
        expected = float(at["error"].sum()) / float(at["magnitude"].sum())
        assert table["relative_error"][lag] == pytest.approx(expected, rel=1e-12)
        assert table["first_order"][lag] == pytest.approx(float(at["first_order"].sum()), rel=1e-12)


def test_the_interval_of_the_relative_error_is_that_of_windows_drawn_again(network, parameters, normal):
    transport = exact_transport(network, parameters, normal(200, TIME, 3), [3], ROOT_SEED)
    table = exact_table(transport).iloc[0]
    sums, draws = (
        transport[["error_sum", "magnitude_sum"]].isel(lag=0),
        np.random.default_rng(0).integers(200, size=(4000, 200)),
    )
    ratios = sums["error_sum"].to_numpy()[draws].sum(1) / sums["magnitude_sum"].to_numpy()[draws].sum(1)
    width = np.subtract(*np.quantile(ratios, [0.975, 0.025]))
    assert table["relative_error_high"] - table["relative_error_low"] == pytest.approx(width, rel=0.1)
    assert table["relative_error_low"] < table["relative_error"] < table["relative_error_high"]


def test_a_lag_needs_a_state_to_start_from(network, parameters, normal):
    with pytest.raises(InputError, match=r"'lags' must be in \[1, 8\]"):
        exact_transport(network, parameters, normal(2, TIME, 3), [TIME], ROOT_SEED)
