import math

import numpy as np
import pytest
import torch
from torch.func import jacrev

from learnability.cells import CELLS
from learnability.errors import InputError
from learnability.network import run
from learnability.transport import (
    conditioning_table,
    effective_learning_rates,
    envelope,
    envelope_table,
    rates,
)

LAGS = [1, 2, 5, 8]


@pytest.fixture(params=sorted(set(CELLS) - {"lstm"}))
def architecture(request):
    # The windows of an LSTM are another formula.
    return request.param


@pytest.fixture
def diagonal_network(build, perturbed):
    """A constant gate without recurrent weights: each step multiplies by 1 - s."""
    network = build("const_gate")
    parameters = perturbed(network)
    parameters["U_h"] = torch.zeros_like(parameters["U_h"])
    return network, parameters


def test_rates_are_averages_over_all_valid_ends_and_sequences(network, parameters, normal):
    x = normal(3, 10, 3)
    states, cell = run(network.cell, parameters, x), network.cell
    found = effective_learning_rates(network, parameters, x, LAGS)
    a, d, conditions = np.empty((3, 11, 5)), np.empty((3, 11, 5)), []
    for n in range(3):
        for t in range(1, 11):
            jacobian = jacrev(lambda state, n=n, t=t: cell.step(parameters, state, x[n, t - 1]))(states[n, t - 1])
            a[n, t] = 1 - cell.gate(parameters, states[n, t - 1], x[n, t - 1]).numpy()
            d[n, t] = jacobian.diagonal().numpy() - a[n, t]
        conditions.append(np.linalg.cond(jacobian.numpy()))
    for lag in LAGS:
        zeroth, first = np.zeros((2, 3, 10 - lag, 5))
        for n in range(3):
            for index, t in enumerate(range(lag + 1, 11)):
                steps = range(t - lag + 1, t + 1)
                zeroth[n, index] = math.prod(a[n, j] for j in steps)
                first[n, index] = sum(math.prod(d[n, j] if j == p else a[n, j] for j in steps) for p in steps)
        at = found.sel(lag=lag)
        np.testing.assert_allclose(at["zeroth"], zeroth.mean((0, 1)), rtol=1e-12)
        np.testing.assert_allclose(at["first"], first.mean((0, 1)), rtol=1e-10, atol=1e-15)
        np.testing.assert_allclose(at["magnitude"], abs(zeroth + first).mean((0, 1)), rtol=1e-12)
    np.testing.assert_allclose(found["jacobian_condition"], conditions, rtol=1e-10)


def test_without_recurrent_weights_a_constant_gate_decays_as_its_power(diagonal_network, normal):
    lags = [1, 2, 4, 64, 128]
    found = effective_learning_rates(*diagonal_network, normal(2, 130, 3), lags)
    np.testing.assert_allclose(envelope(found), [5 * 0.3**lag for lag in lags], rtol=1e-12)
    assert not found["first"].any()


def test_chunks_of_the_computation_do_not_show(network, parameters, normal, monkeypatch):
    x = normal(7, 12, 3)
    whole = effective_learning_rates(network, parameters, x, LAGS)
    for chunk, numbers in ((1, 2**16), (3, 1), (4, 2 * 12 * 5), (64, 3 * 12 * 5)):
        monkeypatch.setattr(rates, "FORWARD_CHUNK", chunk)
        monkeypatch.setattr(rates, "CACHED_NUMBERS", numbers)
        split = effective_learning_rates(network, parameters, x, LAGS)
        for name in whole:
            np.testing.assert_allclose(split[name], whole[name], rtol=1e-13, atol=1e-15)


def test_float32_data_are_measured_in_float64(network, parameters, normal):
    x = normal(2, 10, 3).float()
    found = effective_learning_rates(network, parameters, x, LAGS)
    assert found.equals(effective_learning_rates(network, parameters, x.double(), LAGS))


def test_lags_and_units_are_named(network, parameters, normal):
    found = effective_learning_rates(network, parameters, normal(2, 10, 3), LAGS)
    assert found["lag"].to_numpy().tolist() == LAGS
    assert dict(found.sizes) == {"lag": 4, "unit": 5, "sequence": 2}


def test_a_lag_needs_a_state_to_start_from(network, parameters, normal):
    effective_learning_rates(network, parameters, normal(2, 10, 3), [9])
    with pytest.raises(InputError, match=r"'lags' must be in \[1, 9\]"):
        effective_learning_rates(network, parameters, normal(2, 10, 3), [10])


def test_the_envelope_table_holds_sum_mean_and_quantiles_over_units(network, parameters, normal):
    found = effective_learning_rates(network, parameters, normal(2, 10, 3), LAGS)
    table = envelope_table(found).set_index("lag")
    for lag in LAGS:
        units = found["magnitude"].sel(lag=lag).to_numpy()
        assert table["envelope"][lag] == pytest.approx(units.sum(), rel=1e-14)
        assert table["mean_rate"][lag] == pytest.approx(units.mean(), rel=1e-14)
        for level in (5, 25, 50, 75, 95):
            assert table[f"rate_q{level:02d}"][lag] == pytest.approx(np.quantile(units, level / 100), rel=1e-14)


def test_the_conditioning_table_counts_its_jacobians(diagonal_network, normal, monkeypatch):
    found = effective_learning_rates(*diagonal_network, normal(4, 10, 3), LAGS)
    (row,) = conditioning_table(found).to_dict("records")
    assert row == pytest.approx({"median": 1, "largest": 1, "jacobians": 4})
    monkeypatch.setattr(rates, "CONDITION_SEQUENCES", 3)
    monkeypatch.setattr(rates, "FORWARD_CHUNK", 2)
    fewer = effective_learning_rates(*diagonal_network, normal(4, 10, 3), LAGS)
    assert conditioning_table(fewer)["jacobians"].item() == 3
