import doctest
from pathlib import Path

import numpy as np
import pytest
import torch

from learnability.errors import InputError
from learnability.own_model import measure
from learnability.transport import ENGINES, effective_learning_rates, envelope, exact_table, exact_transport
from networks import cell_parameters

LAGS = [1, 2, 4]


@pytest.fixture
def given(network, parameters, normal):
    """A cell of the library as if it were somebody's own."""
    x, y = normal(6, 12, 3), normal(6, 12)
    return {
        "step": network.cell.step,
        "parameters": cell_parameters(parameters),
        "readout": lambda state: network.predict(parameters, state),
        "inputs": x,
        "targets": y,
        "state_size": network.cell.state_size,
        "lags": LAGS,
    }


@pytest.mark.parametrize("architecture", ["const_gate", "shared_gate", "diag_gate", "gru"])
def test_a_function_is_measured_as_the_cell_it_stands_for(network, parameters, given):
    cell = network.cell
    found = measure(**given, retention=lambda p, s, x: (1 - cell.gate(p, s, x)).expand_as(s), study=5)
    rates = effective_learning_rates(network, parameters, given["inputs"], LAGS, ENGINES["torch"]())
    np.testing.assert_allclose(found.envelope["envelope"], envelope(rates), rtol=1e-10)
    # A GRU's reset is its own affair: a function that maps a state has none to name.
    expected = exact_table(exact_transport(network, parameters, given["inputs"], LAGS, 5))[found.exact.columns]
    np.testing.assert_allclose(found.exact, expected, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("architecture", ["lstm"])
def test_exact_transport_of_a_function_crosses_its_whole_state(network, parameters, given):
    found = measure(**given)
    assert set(found.noise["transport"]) == {"first_order", "exact"}
    assert set(found.window["sample_size"]) >= {25, 12800}
    assert found.need.groupby(["transport", "criterion"]).size().eq(3).all()
    assert set(found.need["criterion"]) == {"snr", "fano", "exact"}


@pytest.mark.parametrize("architecture", ["diag_gate"])
def test_without_a_retention_the_whole_diagonal_counts(given):
    whole, none = measure(**given), measure(**given, retention=lambda p, s, x: torch.zeros_like(s))
    assert (whole.envelope["envelope"] > 0).all()
    # With a = 0 only one-step windows have a first order.
    assert none.envelope["envelope"].tolist() == [pytest.approx(whole.envelope["envelope"][0]), 0, 0]


@pytest.mark.parametrize("architecture", ["diag_gate"])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"inputs": torch.zeros(6, 12)}, r"'inputs' must be of shape \(sequence, time, input\)"),
        ({"targets": torch.zeros(6, 11)}, r"'targets' must be of shape \(6, 12\)"),
        ({"lags": [12]}, r"'lags' must be in \[1, 11\]"),
        ({"step": lambda p, s, x: s[:, :2]}, r"'step' must be a map to states of shape \(6, 5\)"),
        ({"step": lambda p, s, x: s / 0}, r"'step' must give finite states.*t = 1"),
        ({"step": lambda p, s, x: s * 0 + x.sum()}, r"'step' must depend on its state"),
        ({"readout": lambda s: s}, r"'readout' must be of shape \(6,\)"),
        ({"retention": lambda p, s, x: s[:, :1]}, r"'retention' must be of shape \(6, 5\)"),
        ({"inputs": torch.zeros(0, 12, 3), "targets": torch.zeros(0, 12)}, r"'inputs' must be of shape"),
        ({"targets": torch.full((6, 12), torch.nan)}, r"'targets' must be finite"),
        ({"state_size": 4}, r"'step' must take float64 tensors of shapes \(6, 4\), \(6, 3\)"),
        ({"step": lambda p, s, x: s.tanh()}, r"'step' must use the parameters that it is given"),
        ({"readout": lambda s: s.detach().sum(-1)}, r"'readout' must be differentiable"),
        ({"readout": lambda s: s @ torch.ones(5)}, r"'readout' must take float64 tensors of shapes \(6, 5\)"),
    ],
)
def test_what_cannot_be_measured_is_refused_by_name(given, change, message):
    with pytest.raises(InputError, match=message):
        measure(**given | change)


def test_the_example_of_the_readme_runs():
    failed, tried = doctest.testfile(str(Path(__file__).parents[2] / "README.md"), module_relative=False)
    assert tried > 0
    assert not failed
