import numpy as np
import pytest
import torch
from torch.func import jacrev

from learnability.cells import GATED
from learnability.core.errors import InputError
from learnability.networks.network import run
from learnability.transport import (
    ENGINES,
    conditioning_table,
    effective_learning_rates,
    envelope,
    envelope_table,
    rates,
    read_rates,
    torch_engine,
)
from networks import LAYER_NORM

LAGS = [1, 2, 5, 8]
TORCH = ENGINES["torch"]()


@pytest.fixture(params=[*GATED, *LAYER_NORM])
def architecture(request):
    return request.param


@pytest.mark.parametrize("lags", [LAGS, [3, 4, 9], [9]], ids=str)
def test_rates_are_averages_over_all_valid_ends_and_sequences(network, parameters, normal, engine, dense_window, lags):
    x = normal(3, 10, 3)
    states = run(network.cell, parameters, x)
    rates = effective_learning_rates(network, parameters, x, lags, engine)
    for lag in lags:
        ends = [
            dense_window(network, parameters, states[n], x[n], t, lag) for n in range(3) for t in range(lag + 1, 11)
        ]
        zeroth, first = (torch.stack(stack).numpy() for stack in zip(*ends, strict=True))
        at = rates.sel(lag=lag)
        np.testing.assert_allclose(at["zeroth"], zeroth.mean(0), rtol=1e-12)
        np.testing.assert_allclose(at["first"], first.mean(0), rtol=1e-10, atol=1e-15)
        np.testing.assert_allclose(at["magnitude"], abs(zeroth + first).mean(0), rtol=1e-12)
    jacobians = [
        jacrev(lambda state, n=n: network.cell.step(parameters, state, x[n, -1]))(states[n, -2]) for n in range(3)
    ]
    expected = [np.linalg.cond(jacobian.numpy()) for jacobian in jacobians]
    np.testing.assert_allclose(rates["jacobian_condition"], expected, rtol=1e-9)


@pytest.mark.parametrize("architecture", ["gru"])
def test_equation_26_adds_products_of_gates(network, parameters, normal, engine, dense_window):
    x = normal(3, 10, 3)
    states = run(network.cell, parameters, x)[:, :-1]
    z, r = network.cell.gate(parameters, states, x), network.cell.reset(parameters, states, x)
    rates = effective_learning_rates(network, parameters, x, LAGS, engine)
    for lag in LAGS:
        ends = range(lag, 10)  # the last step of a window, counted from 0
        rho, eta, gamma = (
            torch.stack([gate[:, end - lag + 1 : end + 1].prod(1) for end in ends], 1)
            for gate in (r, (1 - z) * r, 1 - z)
        )
        at = rates.sel(lag=lag)
        np.testing.assert_allclose(at["reset"], rho.mean((0, 1)), rtol=1e-12)
        np.testing.assert_allclose(at["reset_retention"], eta.mean((0, 1)), rtol=1e-12)
        np.testing.assert_allclose(at["zeroth"], gamma.mean((0, 1)), rtol=1e-12)
        strict = [
            [sum(dense_window(network, parameters, states[n], x[n], end + 1, lag)) for end in ends] for n in range(3)
        ]
        expected = torch.stack([torch.stack(products) for products in strict]) + rho + eta
        np.testing.assert_allclose(at["magnitude_eq26"], expected.abs().mean((0, 1)), rtol=1e-12)
    read = read_rates(rates, "eq26")
    assert read["magnitude"].equals(rates["magnitude_eq26"])
    assert read_rates(rates, "strict") is rates


@pytest.mark.parametrize("architecture", ["gru"])
def test_an_open_reset_gate_keeps_the_rates_of_equation_26_above_one(network, parameters, normal):
    parameters["b_r"] = torch.full_like(parameters["b_r"], 40.0)
    x = normal(2, 70, 3)
    rates = effective_learning_rates(network, parameters, x, [1, 64], TORCH)
    np.testing.assert_allclose(rates["reset"], 1, rtol=1e-12)
    assert rates["magnitude"].sel(lag=64).max() < 0.1
    assert (rates["magnitude_eq26"].sel(lag=64) > 0.9).all()


@pytest.mark.parametrize("architecture", ["const_gate", "shared_gate", "diag_gate", "lstm"])
def test_other_cells_have_one_kind_of_rates(network, parameters, normal, engine):
    rates = effective_learning_rates(network, parameters, normal(2, 10, 3), LAGS, engine)
    assert read_rates(rates, "eq26") is rates
    with pytest.raises(InputError, match=r"'gru_rates' must be one of strict, eq26\. Got 'sum'"):
        read_rates(rates, "sum")


def test_without_recurrent_weights_a_constant_gate_decays_as_its_power(diagonal_network, normal):
    lags = [1, 2, 4, 64, 128]
    rates = effective_learning_rates(*diagonal_network, normal(2, 130, 3), lags, TORCH)
    np.testing.assert_allclose(envelope(rates), [5 * 0.3**lag for lag in lags], rtol=1e-12)
    assert not rates["first"].any()


def test_chunks_of_the_computation_do_not_show(network, parameters, normal, monkeypatch):
    x = normal(7, 12, 3)
    whole = effective_learning_rates(network, parameters, x, LAGS, TORCH)
    for chunk, steps, numbers in ((1, 12, 2**16), (3, 1, 1), (4, 5, 2 * 12 * 5), (64, 100, 3 * 12 * 5)):
        monkeypatch.setattr(torch_engine, "SEQUENCES", chunk)
        monkeypatch.setattr(torch_engine, "STEPS", steps)
        monkeypatch.setattr(torch_engine, "CACHED_NUMBERS", numbers)
        split = effective_learning_rates(network, parameters, x, LAGS, TORCH)
        for name in whole:
            np.testing.assert_allclose(split[name], whole[name], rtol=1e-13, atol=1e-15)


def test_float32_data_are_measured_in_float64(network, parameters, normal):
    x = normal(2, 10, 3).float()
    rates = effective_learning_rates(network, parameters, x, LAGS, TORCH)
    assert rates.equals(effective_learning_rates(network, parameters, x.double(), LAGS, TORCH))


def test_lags_and_units_are_named(network, parameters, normal):
    rates = effective_learning_rates(network, parameters, normal(2, 10, 3), LAGS, TORCH)
    assert rates["lag"].to_numpy().tolist() == LAGS
    assert dict(rates.sizes) == {"lag": 4, "unit": 5, "sequence": 2}


def test_a_lag_needs_a_state_to_start_from(network, parameters, normal):
    effective_learning_rates(network, parameters, normal(2, 10, 3), [9], TORCH)
    with pytest.raises(InputError, match=r"'lags' must be in \[1, 9\]"):
        effective_learning_rates(network, parameters, normal(2, 10, 3), [10], TORCH)


def test_the_envelope_table_holds_sum_mean_and_quantiles_over_units(network, parameters, normal):
    rates = effective_learning_rates(network, parameters, normal(2, 10, 3), LAGS, TORCH)
    table = envelope_table(rates).set_index("lag")
    for lag in LAGS:
        units = rates["magnitude"].sel(lag=lag).to_numpy()
        assert table["envelope"][lag] == pytest.approx(units.sum(), rel=1e-14)
        assert table["mean_rate"][lag] == pytest.approx(units.mean(), rel=1e-14)
        for level in (5, 25, 50, 75, 95):
            assert table[f"rate_q{level:02d}"][lag] == pytest.approx(np.quantile(units, level / 100), rel=1e-14)


def test_the_conditioning_table_counts_its_jacobians(diagonal_network, normal, monkeypatch):
    all_rates = effective_learning_rates(*diagonal_network, normal(4, 10, 3), LAGS, TORCH)
    (row,) = conditioning_table(all_rates).to_dict("records")
    assert row == pytest.approx({"median": 1, "largest": 1, "jacobians": 4})
    monkeypatch.setattr(rates, "CONDITION_SEQUENCES", 3)
    monkeypatch.setattr(torch_engine, "SEQUENCES", 2)
    fewer = effective_learning_rates(*diagonal_network, normal(4, 10, 3), LAGS, TORCH)
    assert conditioning_table(fewer)["jacobians"].item() == 3
