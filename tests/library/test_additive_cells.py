"""Identity recurrence, forget-gate RNN and the LSTM with fewer gates, against their equations."""

import pytest
import torch
from torch import sigmoid, tanh
from torch.func import jacrev, jvp, vjp, vmap

from learnability.cells import LSTM, ForgetRNN, IdentityRNN
from learnability.cells.automatic import AutomaticLinearization
from learnability.cells.lstm import GATES
from learnability.core.errors import InputError
from learnability.networks.network import Network, run
from learnability.training.engines import choose_engine

CELLS = {
    "identity": IdentityRNN(3, 5),
    "forget": ForgetRNN(3, 5, gate_init=0.3),
    **{f"lstm {gates}": LSTM(3, 5, gate_init=0.3, gates=gates) for gates in GATES},
}
cells = pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS)
EXACT = {"rtol": 1e-12, "atol": 1e-13}


@pytest.fixture
def point(cell, normal):
    """Parameters, and previous states and inputs over (sequence, time)."""
    parameters = {name: normal(*p.shape) for name, p in cell.initial_parameters(1, 0).items()}
    return parameters, normal(2, 4, cell.state_size), normal(2, 4, 3)


@cells
def test_a_step_is_its_equations(cell, point):
    p, states, inputs = point
    for at in ((0, 1), (1, 3)):
        s, x = states[at], inputs[at]
        a = {k[2:]: p[k] @ x + p[f"b_{k[2:]}"] + p.get(f"U_{k[2:]}", torch.zeros(5, 5)).double() @ s[:5]
             for k in p if k.startswith("W_")}  # fmt: skip
        match cell:
            case ForgetRNN():
                expected = sigmoid(a["f"]) * s + tanh(a["h"])
            case IdentityRNN():
                expected = s + tanh(a["h"])
            case _:
                i, f, o = (sigmoid(a[k]) if k in a else 1 for k in "ifo")
                c = f * s[5:] + i * tanh(a["g"])
                expected = torch.cat([o * tanh(c), c])
        torch.testing.assert_close(cell.step(p, s, x), expected, **EXACT)


@cells
def test_parameters_are_those_of_the_equations(cell):
    names = {"identity": "", "forget": "f"}.get(next(k for k, kind in CELLS.items() if kind is cell))
    gates, path = (cell.gates, "g") if names is None else (names, "h")
    expected = {f"{kind}_{k}" for kind in "WUb" for k in (*gates, path)} - ({"U_h"} if path == "h" else set())
    assert set(cell.initial_parameters(0, 0)) == expected


@cells
def test_the_linearization_is_the_derivative_of_the_step(cell, point, normal):
    p, states, inputs = point
    steps, oracle = cell.linearize(p, states, inputs), AutomaticLinearization(cell, p, states, inputs)
    assert type(steps) is not AutomaticLinearization
    derivative = vmap(vmap(jacrev(lambda s, x: cell.step(p, s, x))))(states, inputs)
    torch.testing.assert_close(steps.split().whole, derivative, **EXACT)
    v, dx, w = normal(*states.shape), normal(*inputs.shape), {name: normal(*tensor.shape) for name, tensor in p.items()}
    for product in ("along_state", "pull_back"):
        torch.testing.assert_close(getattr(steps, product)(v), getattr(oracle, product)(v), **EXACT)
    torch.testing.assert_close(steps.along_parameters(w), oracle.along_parameters(w), **EXACT)
    torch.testing.assert_close(steps.gradient(v), oracle.gradient(v), **EXACT)
    along = jvp(lambda x: cell.step(p, states, x), (inputs,), (dx,))[1]
    back = vjp(lambda x: cell.step(p, states, x), inputs)[1]
    for linearization in (steps, oracle):
        torch.testing.assert_close(linearization.along_inputs(dx, p), along, **EXACT)
        torch.testing.assert_close(linearization.pull_back_to_inputs(v, p), back(v)[0], **EXACT)


@cells
def test_first_order_diagonals_are_those_of_the_split(cell, point):
    steps, units = cell.linearize(*point), cell.hidden_size
    split, diagonals = steps.split(), steps.diagonals()
    for part, diagonal in ((split.retention, diagonals.retention), (split.mixing, diagonals.mixing)):
        block = part[..., -units:, -units:] if part is split.retention else part[..., -units:, :units]
        torch.testing.assert_close(diagonal, block.diagonal(dim1=-2, dim2=-1), **EXACT)
    gate = cell.gate(*point)
    retention = torch.ones_like(diagonals.retention) if gate is None else 1 - gate
    torch.testing.assert_close(diagonals.retention, retention, **EXACT)


def test_an_identity_recurrence_passes_every_gradient_on_and_stores_every_input(normal):
    cell = IdentityRNN(3, 5)
    p, x = {name: normal(*tensor.shape) for name, tensor in cell.initial_parameters(1, 0).items()}, normal(2, 30, 3)
    states = run(cell, p, x)
    torch.testing.assert_close(states[:, -1], tanh(x @ p["W_h"].T + p["b_h"]).sum(1), **EXACT)
    v = normal(2, 30, 5)
    assert torch.equal(cell.linearize(p, states[:, :-1], x).pull_back(v), v)


def test_an_lstm_with_all_gates_is_the_lstm():
    assert LSTM(3, 5, gate_init=0.3, gates="ifo") == LSTM(3, 5, gate_init=0.3)
    with pytest.raises(InputError, match=r"'gates' must be one of , i, f, o, if, io, fo, ifo\. Got 'fi'"):
        LSTM(3, 5, gate_init=0.3, gates="fi")
    reason = "auto: the native engine lacks the cell IdentityRNN"
    assert choose_engine("auto", "cpu", Network(CELLS["identity"])) == ("autograd", reason)
