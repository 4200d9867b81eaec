"""Derivatives of torch's own modules by formula, against plain autograd; device and precision."""

import numpy as np
import pandas as pd
import pytest
import torch
from torch import nn

from learnability import measure_model
from learnability.core.errors import InputError
from learnability.measurement.formulas import LAYERS, formulas_of
from learnability.measurement.module import find_model
from learnability.measurement.step import OWN_GRADIENT

X, H = 3, 4
MODULES = {
    "RNN": lambda: nn.RNN(X, H, batch_first=True),
    "RNN, relu": lambda: nn.RNN(X, H, nonlinearity="relu", batch_first=True),
    "RNN cell": lambda: nn.RNNCell(X, H),
    "RNN cell, relu": lambda: nn.RNNCell(X, H, nonlinearity="relu"),
    "GRU": lambda: nn.GRU(X, H, batch_first=True),
    "GRU, time first": lambda: nn.GRU(X, H),
    "GRU, 2 layers, no bias": lambda: nn.GRU(X, H, num_layers=2, bias=False, batch_first=True),
    "GRU cell": lambda: nn.GRUCell(X, H),
    "LSTM": lambda: nn.LSTM(X, H, batch_first=True),
    "LSTM, 3 layers": lambda: nn.LSTM(X, H, num_layers=3, batch_first=True),
    "LSTM cell": lambda: nn.LSTMCell(X, H, bias=False),
}


@pytest.mark.parametrize("kind", MODULES)
def test_derivatives_are_those_of_plain_autograd(kind):
    torch.manual_seed(1)
    module = MODULES[kind]()
    frozen = next(iter(module.parameters()))
    frozen.requires_grad_(False)  # what is not trained is not among the parameters
    x = torch.randn(5, X, dtype=torch.float64)
    model = find_model(module, x, None if "LSTM" not in kind or "cell" not in kind else lambda s: s[0][:, 0], None)
    state = torch.randn(5, model.state_size, dtype=torch.float64)
    assert model.formulas is not None
    derivatives = model.formulas.at(model.parameters, state, x)
    diagonal, covectors = derivatives.diagonal(), torch.randn(5, 3, model.state_size, dtype=torch.float64)
    back = derivatives.pull_back(covectors)
    exact = {"rtol": 1e-12, "atol": 1e-14}
    for row in range(5):
        x_row = x[row : row + 1]
        jacobian = torch.autograd.functional.jacobian(
            lambda s, x_row=x_row: model.step(model.parameters, s[None], x_row)[0], state[row]
        )
        torch.testing.assert_close(diagonal[row], jacobian.diagonal(), **exact)
        torch.testing.assert_close(back[row], covectors[row] @ jacobian, **exact)
    leaves = {name: parameter.clone().requires_grad_() for name, parameter in model.parameters.items()}
    outcome = model.step(leaves, state, x)
    sums = torch.full((3, sum(leaf.numel() for leaf in leaves.values())), torch.nan, dtype=torch.float64)
    for is_first in (True, False):  # the second sum is added to the first
        derivatives.add_gradient(covectors.transpose(0, 1), sums, is_first)
    for number in range(3):
        gradients = torch.autograd.grad(outcome, [*leaves.values()], covectors[:, number], retain_graph=True)
        expected = 2 * torch.cat([gradient.flatten() for gradient in gradients])
        torch.testing.assert_close(sums[number], expected, **exact)


def test_every_module_with_a_formula_is_tested():
    assert {type(make()) for make in MODULES.values()} == {*LAYERS}


def test_what_a_formula_would_miss_goes_by_automatic_differentiation():
    class Halved(nn.GRUCell):
        def forward(self, x, state=None):
            return super().forward(x, state) / 2

    with_hook = nn.GRUCell(X, H)
    with_hook.register_forward_hook(lambda module, args, after: after / 2)
    with_backward_hook = nn.GRUCell(X, H)
    with_backward_hook.register_full_backward_hook(lambda module, into, out: tuple(gradient / 2 for gradient in into))
    patched = nn.GRUCell(X, H)
    patched.forward = lambda x, state=None: nn.GRUCell.forward(patched, x, state) / 2
    tied = nn.RNNCell(H, H)
    tied.weight_hh = tied.weight_ih
    fixed = nn.GRUCell(X, H)
    bias = fixed.bias_hh.data
    del fixed.bias_hh
    fixed.register_buffer("bias_hh", bias)
    with_norm = nn.utils.parametrizations.weight_norm(nn.GRU(X, H, batch_first=True), "weight_hh_l0")
    modules = Halved(X, H), with_hook, with_backward_hook, patched, tied, fixed, with_norm, nn.LSTM(X, H, proj_size=2)
    for module in (*modules, nn.Linear(X, H)):
        assert formulas_of(module) is None


def test_tied_weights_and_a_fixed_bias_are_measured():
    torch.manual_seed(3)
    tied, fixed = nn.RNNCell(H, H), nn.RNN(X, H, batch_first=True)
    tied.weight_hh = tied.weight_ih
    bias = fixed.bias_hh_l0.data
    del fixed._parameters["bias_hh_l0"]
    fixed.register_buffer("bias_hh_l0", bias)
    x, y = sequences(time=8)
    for module, inputs in ((tied, torch.cat([x, x[..., :1]], -1)), (fixed, x)):
        options = {"readout": lambda h: h.sum(1), "lags": [1, 2]}
        for table, reference in zip(
            measure_model(module, inputs, y, **options),
            measure_model(module, inputs, y, **options, diagonal=None),
            strict=True,
        ):
            pd.testing.assert_frame_equal(table, reference)


def sequences(count=20, time=20):
    x = torch.randn(count, time, X, generator=torch.Generator().manual_seed(0))
    return x, x.cumsum(1).sum(2)


def test_formula_and_automatic_differentiation_measure_the_same():
    torch.manual_seed(2)
    gru, head = nn.GRU(X, H, batch_first=True), nn.Linear(H, 1)
    x, y = sequences()
    automatic = measure_model(gru, x, y, readout=head, diagonal=None)
    for table, reference in zip(measure_model(gru, x, y, readout=head), automatic, strict=True):
        numbers = table.select_dtypes("number").columns
        np.testing.assert_allclose(table[numbers], reference[numbers], rtol=1e-6, atol=1e-12)


def test_single_precision_keeps_its_statement_of_accuracy():
    """Gradients fall below the range of float32 here, so that each is scaled before it goes backward."""
    torch.manual_seed(2)
    gru, head = nn.GRU(X, H, batch_first=True), nn.Linear(H, 1)
    with torch.no_grad():
        gru.weight_hh_l0.mul_(0.3)
        gru.bias_hh_l0[H : 2 * H] = -5  # z = 0.007
    x, y = sequences(time=60)
    lags = [1, 8, 50]
    double, single = (
        measure_model(gru, x, y, readout=head, lags=lags, precision=precision) for precision in ("double", "single")
    )
    assert double.exact["exact"].min() < 1e-40
    for name in ("exact", "first_order"):
        error = (single.exact[name] / double.exact[name] - 1).abs()
        assert (error > 0).any()
        assert (error < 1e-6 * np.sqrt(double.exact["lag"])).all()
    rows = [measurement.noise[measurement.noise["transport"] == "exact"] for measurement in (single, double)]
    np.testing.assert_allclose(rows[0]["gradient_square"], rows[1]["gradient_square"], rtol=1e-4)


def test_single_precision_reaches_step_and_readout():
    dtypes = set()

    def step(p, s, x):
        dtypes.add(s.dtype)
        return (x @ p["W"].T + s @ p["U"].T).tanh()

    torch.manual_seed(0)
    parameters = {"W": torch.randn(H, X), "U": torch.randn(H, H)}
    x, y = sequences(time=6)
    options = {"state_size": H, "lags": [1, 2]}
    measure_model(step, parameters, lambda s: s.sum(1), x, y, **options, precision="single", device=torch.device("cpu"))
    assert dtypes == {torch.float32}


def test_a_diagonal_of_another_step_is_refused():
    x, y = sequences(time=6)
    with pytest.raises(InputError, match="'diagonal' must be the diagonal of the Jacobian of step"):
        measure_model(nn.RNN(X, H, batch_first=True), x, y, readout=lambda h: h.sum(1), diagonal=lambda p, s, x: s)


@pytest.mark.parametrize(("name", "value"), [("device", "abacus"), ("precision", "half")])
def test_a_wrong_place_is_refused(name, value):
    x, y = sequences(time=6)
    with pytest.raises(InputError, match=f"'{name}' must be"):
        measure_model(nn.RNN(X, H, batch_first=True), x, y, **{name: value})


def test_one_function_takes_a_module_or_a_step():
    cell = nn.GRUCell(X, H).double()
    x, y = sequences(time=6)
    by_module = measure_model(module=cell, inputs=x, targets=y, readout=lambda h: h.sum(1), reading=OWN_GRADIENT)

    def step(p, s, x):
        return torch.func.functional_call(cell, p, (x, s))

    weights = dict(cell.named_parameters())
    by_step = measure_model(step, weights, lambda h: h.sum(1), x, y, state_size=H, lags=[1, 2, 4])
    np.testing.assert_allclose(by_module.exact, by_step.exact, rtol=1e-9, atol=1e-12)
    with pytest.raises(InputError, match="'state_size' must be given with a step"):
        measure_model(step, weights, lambda h: h.sum(1), x, y, lags=[1, 2, 4])
