"""Cells that the literature compares, each against the equations of its paper in NumPy, one number after another."""

import doctest
import math
import sys

import numpy as np
import pytest
import torch
from ncps.torch import CfCCell
from torch.func import jvp, vjp, vmap

from learnability.cells import COMPARED, LSTM, AutomaticLinearization
from learnability.cells.linear_recurrence import LinearRecurrence, scan
from learnability.core.errors import InputError
from learnability.networks.network import Network, hidden_units, run
from learnability.tasks import DelayedSum
from learnability.transport import TorchEngine

EXACT = {"rtol": 1e-11, "atol": 1e-12}
INPUTS, UNITS = 2, 3
SMALL = {"s4d": {"modes": 4}, "mamba": {"modes": 4}, "lmu": {"order": 4, "longest": 9}, "cfc": {"backbone": 5}}
"""Settings that keep states small."""
SCAN_CELLS = [name for name, kind in COMPARED.items() if issubclass(kind, LinearRecurrence)]


def build(name, units=UNITS, **settings):
    return COMPARED[name](INPUTS, units, **SMALL.get(name, {}) | settings)


@pytest.fixture
def point(name, normal):
    """A cell, parameters of which none is where it started, and states and inputs over (sequence, time)."""
    cell = build(name)
    parameters = {key: p + 0.3 * normal(*p.shape) for key, p in cell.initial_parameters(1, 0).items()}
    states = normal(2, 4, cell.state_size)
    if name == "slstm":
        states[..., 2 * UNITS : 3 * UNITS] = states[..., 2 * UNITS : 3 * UNITS].abs() + 0.1  # n_t is positive
    return cell, parameters, states, normal(2, 4, INPUTS)


# Equations


def sigmoid(a):
    return 1 / (1 + math.exp(-a))


def silu(a):
    return a * sigmoid(a)


def gelu(a):
    return a * (1 + math.erf(a / math.sqrt(2))) / 2


def product(matrix, vector):
    rows, columns = matrix.shape
    return np.array([sum(matrix[i, j] * vector[j] for j in range(columns)) for i in range(rows)])


def pre_activation(p, path, x, h=None):
    a = product(p[f"W_{path}"], x) + p[f"b_{path}"]
    return a if h is None else a + product(p[f"U_{path}"], h)


def irnn(p, s, x, cell):
    return [max(a, 0) for a in pre_activation(p, "h", x, s)]


def chrono_lstm(p, s, x, cell):
    h, c = s[:UNITS], s[UNITS:]
    i, f, o, g = (pre_activation(p, path, x, h) for path in "ifog")
    c = [sigmoid(f[j]) * c[j] + sigmoid(i[j]) * math.tanh(g[j]) for j in range(UNITS)]
    return [sigmoid(o[j]) * math.tanh(c[j]) for j in range(UNITS)] + c


def min_gru(p, s, x, cell):
    z, g = (pre_activation(p, path, x) for path in "zh")
    return [(1 - sigmoid(z[j])) * s[j] + sigmoid(z[j]) * g[j] for j in range(UNITS)]


def min_lstm(p, s, x, cell):
    f, i, g = (pre_activation(p, path, x) for path in "fih")
    total = [sigmoid(f[j]) + sigmoid(i[j]) for j in range(UNITS)]
    return [sigmoid(f[j]) / total[j] * s[j] + sigmoid(i[j]) / total[j] * g[j] for j in range(UNITS)]


def through_gated_linear_unit(p, y):
    halves = product(p["P_o"], [gelu(value) for value in y]) + p["b_o"]
    return [halves[j] * sigmoid(halves[UNITS + j]) for j in range(UNITS)]


def complex_state(hidden, memory):
    return [*hidden, *(m.real for m in memory), *(m.imag for m in memory)]


def lru(p, s, x, cell):
    B, C = p["B_re"] + 1j * p["B_im"], p["C_re"] + 1j * p["C_im"]
    memory, Bx = [], product(B, x)
    for j in range(UNITS):
        eigenvalue = np.exp(-math.exp(p["nu_log"][j]) + 1j * math.exp(p["theta_log"][j]))
        before = s[UNITS + j] + 1j * s[2 * UNITS + j]
        memory.append(eigenvalue * before + math.exp(p["gamma_log"][j]) * Bx[j])
    y = product(C, memory).real + product(p["D"], x)
    return complex_state(through_gated_linear_unit(p, y), memory)


def s4d(p, s, x, cell):
    N, u, memory, y = cell.modes, pre_activation(p, "h", x), [], []
    for j in range(UNITS):
        read = 0
        for n in range(N):
            A = -math.exp(p["A_log"][j, n]) + 1j * p["A_im"][j, n]
            decay = np.exp(math.exp(p["delta_log"][j]) * A)
            before = s[UNITS + j * N + n] + 1j * s[UNITS + UNITS * N + j * N + n]
            memory.append(decay * before + (decay - 1) / A * u[j])
            read += 2 * ((p["C_re"][j, n] + 1j * p["C_im"][j, n]) * memory[-1]).real
        y.append(read + p["D"][j] * u[j])
    return complex_state(through_gated_linear_unit(p, y), memory)


def mamba(p, s, x, cell):
    N, u = cell.modes, [silu(a) for a in product(p["W_u"], x)]
    selection = product(p["P_u"], u)
    d, B, C = selection[:1], selection[1 : 1 + N], selection[1 + N :]
    steps = [math.log1p(math.exp(a)) for a in product(p["P_delta"], d) + p["b_delta"]]
    z, hidden, memory = product(p["W_z"], x), [], []
    for j in range(UNITS):
        read = p["D"][j] * u[j]
        for n in range(N):
            decay = math.exp(-steps[j] * math.exp(p["A_log"][j, n]))
            memory.append(decay * s[UNITS + j * N + n] + steps[j] * B[n] * u[j])
            read += C[n] * memory[-1]
        hidden.append(read * silu(z[j]))
    return hidden + memory


def slstm(p, s, x, cell):
    h, c, n, m = np.split(s, 4)
    i, f, z, o = (pre_activation(p, path, x, h) for path in "ifzo")
    new = np.zeros((4, UNITS))
    for j in range(UNITS):
        forget = math.log(sigmoid(f[j])) + m[j]
        largest = max(forget, i[j])
        cell_state = math.exp(forget - largest) * c[j] + math.exp(i[j] - largest) * math.tanh(z[j])
        normaliser = math.exp(forget - largest) * n[j] + math.exp(i[j] - largest)
        new[:, j] = sigmoid(o[j]) * cell_state / normaliser, cell_state, normaliser, largest
    return new.flatten()


def mlstm(p, s, x, cell):
    C, n, m = s[UNITS : UNITS + UNITS**2].reshape(UNITS, UNITS), s[-UNITS - 1 : -1], s[-1]
    q, v, o, i, f = (pre_activation(p, path, x) for path in "qvoif")
    k = product(p["W_k"], x) / math.sqrt(UNITS) + p["b_k"]
    forget = math.log(sigmoid(f[0])) + m
    largest = max(forget, i[0])
    keep, write = math.exp(forget - largest), math.exp(i[0] - largest)
    C = np.array([[keep * C[r, j] + write * v[r] * k[j] for j in range(UNITS)] for r in range(UNITS)])
    n = np.array([keep * n[j] + write * k[j] for j in range(UNITS)])
    scale = max(abs(sum(n[j] * q[j] for j in range(UNITS))), math.exp(-largest))
    h = [sigmoid(o[r]) * sum(C[r, j] * q[j] for j in range(UNITS)) / scale for r in range(UNITS)]
    return [*h, *C.flatten(), *n, largest]


def lmu(p, s, x, cell):
    h, m, d = s[:UNITS], s[UNITS:], cell.order
    A = np.array([[(2 * i + 1) * (-1 if i < j else (-1.0) ** (i - j + 1)) for j in range(d)] for i in range(d)])
    B = np.array([(2 * i + 1) * (-1.0) ** i for i in range(d)])
    A, B = A / cell.longest, B / cell.longest
    term, exponential, integral = np.eye(d), np.zeros((d, d)), np.zeros((d, d))
    for k in range(60):  # exp(A) = Σ A^k / k!, and its integral over a step Σ A^k / (k + 1)!
        exponential, integral = exponential + term, integral + term / (k + 1)
        term = term @ A / (k + 1)
    u = (product(p["W_u"], x) + product(p["U_u"], h) + product(p["M_u"], m))[0]
    m = product(exponential, m) + product(integral, B) * u
    a = product(p["W_h"], x) + product(p["U_h"], h) + product(p["M_h"], m)
    return [*np.tanh(a), *m]


def cornn(p, s, x, cell):
    y, z = s[:UNITS], s[UNITS:]
    a = pre_activation(p, "h", x, y) + product(p["V_h"], z)
    z = [z[j] + 0.042 * math.tanh(a[j]) - 0.042 * 2.7 * y[j] - 0.042 * 4.7 * z[j] for j in range(UNITS)]
    return [y[j] + 0.042 * z[j] for j in range(UNITS)] + z


def cfc(p, s, x, cell):
    k = [1.7159 * math.tanh(0.666 * a) for a in pre_activation(p, "h", x, s)]
    g, f, a, b = (product(p[f"P_{head}"], k) + p[f"b_{head}"] for head in "gfab")
    time = [sigmoid(a[j] * 1.0 + b[j]) for j in range(UNITS)]
    return [math.tanh(g[j]) * (1 - time[j]) + time[j] * math.tanh(f[j]) for j in range(UNITS)]


STEPS = (irnn, chrono_lstm, min_gru, min_lstm, lru, s4d, mamba, slstm, mlstm, lmu, cornn, cfc)
EQUATIONS = {step.__name__: step for step in STEPS}

each_cell = pytest.mark.parametrize("name", COMPARED)


@each_cell
def test_a_step_is_the_equations_of_the_paper(name, point):
    """Alone catches a wrong term, sign or order in a step, at all points of a batch."""
    cell, parameters, states, inputs = point
    arrays = {key: p.numpy() for key, p in parameters.items()}
    after = cell.step(parameters, states, inputs).reshape(-1, cell.state_size)
    rows = zip(states.reshape(-1, cell.state_size).numpy(), inputs.reshape(-1, INPUTS).numpy(), strict=True)
    expected = np.array([EQUATIONS[name](arrays, state, x, cell) for state, x in rows])
    torch.testing.assert_close(after, torch.from_numpy(expected), **EXACT)


@each_cell
def test_a_step_can_be_mapped_and_differentiated(name, point, normal):
    """Alone catches a step that branches on values, or whose parts functional transforms do not take."""
    cell, parameters, states, inputs = point
    x, s = inputs[0], states[0]
    after = vmap(lambda s, x: cell.step(parameters, s, x))(s, x)
    torch.testing.assert_close(after, cell.step(parameters, s, x), **EXACT)
    v, u = normal(*s.shape), normal(*s.shape)
    along = jvp(lambda s: cell.step(parameters, s, x), (s,), (v,))[1]
    (back,) = vjp(lambda s: cell.step(parameters, s, x), s)[1](u)
    torch.testing.assert_close((along * u).sum(), (back * v).sum(), **EXACT)
    weights = cell.prepared(parameters)
    assert cell.prepared(weights) is weights
    assert torch.equal(cell.step(weights, s, x), cell.step(parameters, s, x))


@each_cell
def test_the_linearization_is_by_finite_differences(name, point, normal):
    """Alone catches a gradient that torch gets wrong through complex numbers, maxima or a linearize of its own."""
    cell, parameters, states, inputs = point
    s, x = states[0], inputs[0]
    steps = cell.linearize(parameters, s, x)
    jacobian, tiny = steps.split().whole, 1e-6
    for unit in range(cell.state_size):
        offset = torch.zeros(cell.state_size, dtype=torch.float64)
        offset[unit] = tiny
        difference = (cell.step(parameters, s + offset, x) - cell.step(parameters, s - offset, x)) / (2 * tiny)
        torch.testing.assert_close(jacobian[..., unit], difference, rtol=1e-6, atol=1e-8)
    oracle = AutomaticLinearization(cell, parameters, s, x)
    v, w = normal(*s.shape), {key: normal(*p.shape) for key, p in parameters.items()}
    torch.testing.assert_close(steps.pull_back(v), (v[:, None] @ jacobian)[:, 0], **EXACT)
    torch.testing.assert_close(steps.along_state(v), (jacobian @ v[..., None])[..., 0], **EXACT)
    torch.testing.assert_close(steps.gradient(v), oracle.gradient(v), **EXACT)
    torch.testing.assert_close(steps.along_parameters(w), oracle.along_parameters(w), **EXACT)


def test_an_embedded_mlstm_sees_the_embedding(normal):
    """Alone catches an embedding that reaches the wrong paths: a cell without one is given [u; SiLU(u)]."""
    cell = COMPARED["mlstm"](INPUTS, UNITS, embedding=True)
    p = {key: normal(*tensor.shape) for key, tensor in cell.initial_parameters(1, 0).items()}
    state, x = normal(5, cell.state_size).abs(), normal(5, INPUTS)
    u = x @ p["W_e"].mT
    embedding = torch.cat([u, u * torch.sigmoid(u)], -1)
    plain, zeros = COMPARED["mlstm"](2 * UNITS, UNITS), torch.zeros(UNITS, UNITS, dtype=torch.float64)
    wide = {key: tensor for key, tensor in p.items() if key != "W_e"}
    for path in "qkvoif":
        weight = p[f"W_{path}"]
        parts = [zeros[: len(weight)], weight] if path in "qk" else [weight, zeros[: len(weight)]]
        wide[f"W_{path}"] = torch.cat(parts, 1)
    torch.testing.assert_close(cell.step(p, state, x), plain.step(wide, state, embedding), **EXACT)


@pytest.mark.parametrize("name", ["min_gru", "min_lstm"])
def test_minimal_cells_keep_what_their_gate_does_not_overwrite(name, point):
    cell, parameters, states, inputs = point
    steps = cell.linearize(parameters, states, inputs)
    assert type(steps) is not AutomaticLinearization
    retention, mixing = steps.diagonals()[:2]
    torch.testing.assert_close(retention, 1 - cell.gate(parameters, states, inputs), **EXACT)
    assert not mixing.any()


@pytest.mark.parametrize("name", SCAN_CELLS)
@pytest.mark.parametrize("time", [1, 2, 11])
def test_a_scan_is_the_recurrence(name, time, point, normal):
    """Alone catches a scan that loses a step: lengths that are and are not powers of two, and a state to start from."""
    cell, parameters, states, _ = point
    inputs = normal(2, time, INPUTS)
    torch.testing.assert_close(cell.states(parameters, inputs), run(cell, parameters, inputs)[:, 1:], **EXACT)
    state, expected = states[:, 0], []
    for x in inputs.unbind(1):
        state = cell.step(parameters, state, x)
        expected.append(state)
    torch.testing.assert_close(cell.states(parameters, inputs, states[:, 0]), torch.stack(expected, 1), **EXACT)


def test_a_scan_has_the_gradient_of_the_recurrence(normal):
    decays, increments, initial = normal(3, 13, 2), normal(3, 13, 2), normal(3, 2)

    def loop(a, b, m):
        states = []
        for t in range(13):
            m = a[:, t] * m + b[:, t]
            states.append(m)
        return torch.stack(states, 1)

    v = normal(3, 13, 2)
    gradients, expected = (vjp(recurrence, decays, increments, initial)[1](v) for recurrence in (scan, loop))
    torch.testing.assert_close(gradients, expected, **EXACT)


def test_a_cfc_is_that_of_its_authors(normal):
    """Alone catches an equation that the paper and its public code read differently."""
    theirs, ours = CfCCell(INPUTS, UNITS, backbone_units=7).double(), build("cfc", backbone=7)
    weights = {key: weight.detach() for key, weight in theirs.named_parameters()}
    backbone = weights["backbone.0.weight"]
    p = {"W_h": backbone[:, :INPUTS], "U_h": backbone[:, INPUTS:], "b_h": weights["backbone.0.bias"]}
    for head, name in {"g": "ff1", "f": "ff2", "a": "time_a", "b": "time_b"}.items():
        p |= {f"P_{head}": weights[f"{name}.weight"], f"b_{head}": weights[f"{name}.bias"]}
    state, x = normal(5, UNITS), normal(5, INPUTS)
    torch.testing.assert_close(ours.step(p, state, x), theirs(x, state, 1.0)[0].detach(), **EXACT)


# Initialisation


def start(name, units, **settings):
    cell = COMPARED[name](INPUTS, units, **settings)
    return cell, {key: p.numpy() for key, p in cell.initial_parameters(1, 0).items()}


def within(values, low, high):
    """True if uniform numbers fill an interval: all within, and their mean within four deviations of the middle."""
    deviation = (high - low) / math.sqrt(12 * values.size)
    return low <= values.min() and values.max() <= high and abs(values.mean() - (low + high) / 2) < 4 * deviation


def is_normal(values, deviation):
    """True if the mean square is that of N(0, deviation²), within four deviations."""
    return abs((values**2).mean() / deviation**2 - 1) < 4 * math.sqrt(2 / values.size)


def test_an_irnn_starts_from_the_identity():
    _, p = start("irnn", 200)
    assert (p["U_h"] == np.eye(200)).all() and not p["b_h"].any() and is_normal(p["W_h"], 0.001)


def test_a_chrono_lstm_forgets_over_times_up_to_the_longest():
    _, p = start("chrono_lstm", 400, longest=50)
    assert within(np.exp(p["b_f"]), 1, 49)
    assert (p["b_i"] == -p["b_f"]).all() and not p["b_o"].any()
    plain = LSTM(INPUTS, 400, gate_init=0.5).initial_parameters(1, 0)
    assert list(p) == list(plain)
    assert all((p[key] == plain[key].numpy()).all() for key in p if key not in ("b_f", "b_i"))
    assert COMPARED["chrono_lstm"].linearize is LSTM.linearize
    assert "b_f" not in COMPARED["chrono_lstm"](2, 3, gates="io").initial_parameters(1, 0)
    with pytest.raises(InputError, match=r"'longest' must be above 2 steps\. Got 2"):
        build("chrono_lstm", longest=2)


@pytest.mark.parametrize(("name", "paths"), [("min_gru", "zh"), ("min_lstm", "fih")])
def test_minimal_cells_start_as_linear_layers(name, paths):
    _, p = start(name, 300)
    assert set(p) == {f"{kind}_{path}" for kind in "Wb" for path in paths}
    assert all(within(tensor, -1 / math.sqrt(INPUTS), 1 / math.sqrt(INPUTS)) for tensor in p.values())
    assert not (p["W_h"] == p[f"W_{paths[0]}"]).any()


@pytest.mark.parametrize(("r_min", "r_max", "max_phase"), [(0.0, 1.0, 2 * math.pi), (0.9, 0.999, math.pi / 10)])
def test_eigenvalues_of_an_lru_start_in_their_ring(r_min, r_max, max_phase):
    cell, p = start("lru", 400, r_min=r_min, r_max=r_max, max_phase=max_phase)
    eigenvalues = cell.coefficients({k: torch.from_numpy(v) for k, v in p.items()}, torch.zeros(2).double())[0].numpy()
    assert within(np.abs(eigenvalues) ** 2, r_min**2, r_max**2)
    assert within(np.exp(p["theta_log"]), 0, max_phase)
    np.testing.assert_allclose(np.exp(p["gamma_log"]) ** 2, 1 - np.abs(eigenvalues) ** 2, rtol=1e-9)
    assert is_normal(p["B_re"], 0.5) and is_normal(p["B_im"], 0.5)  # 1/√(2 · 2 inputs)
    assert is_normal(p["C_re"], 1 / 20) and is_normal(p["C_im"], 1 / 20)
    with pytest.raises(InputError, match=r"'r_min' must be at least 0 and below r_max = 1\.0\. Got 1\.0"):
        build("lru", r_min=1.0)


def test_an_s4d_starts_as_s4d_lin():
    cell, p = start("s4d", 100)
    np.testing.assert_allclose(p["A_log"], math.log(0.5))
    np.testing.assert_allclose(p["A_im"], np.pi * np.arange(32) * np.ones((100, 1)))
    assert within(p["delta_log"], math.log(0.001), math.log(0.1))
    assert is_normal(np.hypot(p["C_re"], p["C_im"]), 1) and is_normal(p["D"], 1)
    assert cell.state_size == 100 * 65


def test_a_mamba_starts_with_small_steps():
    cell, p = start("mamba", 200)
    np.testing.assert_allclose(np.exp(p["A_log"]), np.arange(1, 17) * np.ones((200, 1)))
    assert within(np.log(np.log1p(np.exp(p["b_delta"]))), math.log(0.001), math.log(0.1))
    assert within(p["P_delta"], -1 / math.sqrt(13), 1 / math.sqrt(13)) and cell.rank == 13
    assert (p["D"] == 1).all()


def test_xlstm_cells_start_as_their_public_code():
    _, p = start("slstm", 200)
    assert is_normal(p["W_i"], math.sqrt(2 / 10)) and not p["U_f"].any() and not p["b_i"].any()
    assert p["b_f"][0] == 5 and p["b_f"][-1] == pytest.approx(-7) and (np.diff(p["b_f"]) < 0).all()
    _, p = start("mlstm", 200)
    assert is_normal(p["W_q"], math.sqrt(2 / 10)) and not p["W_i"].any() and not p["W_f"].any()
    assert p["b_f"] == 3 and 0 < abs(p["b_i"]) < 0.5


@pytest.mark.parametrize("name", ["lru", "s4d", "mlstm"])
def test_outputs_at_once_are_those_of_the_steps(name, point, normal):
    """Alone catches a response that comes a step late or goes round, and a key that is seen before it is written."""
    cell, parameters, _, _ = point
    inputs = normal(3, 11, INPUTS)
    expected = hidden_units(cell, parameters, inputs)
    torch.testing.assert_close(cell.outputs(parameters, inputs), expected, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("name", ["slstm", "mlstm"])
def test_the_stabiliser_changes_no_hidden_unit(name, point, normal):
    """Alone catches a stabiliser that is not taken out again: large gates are those of the equations without it."""
    cell, p, _, _ = point
    inputs = normal(4, 6, INPUTS)
    hidden = cell.output(run(cell, p, inputs))
    state = cell.initial_state(inputs[:, 0])
    state[:, -UNITS if name == "slstm" else -1 :] = 2.5  # m_0
    for t, x in enumerate(inputs.unbind(1), 1):
        state = cell.step(p, state, x)
        torch.testing.assert_close(cell.output(state), hidden[:, t], **EXACT)
    large = p | {"b_i": p["b_i"] + 5000, "b_f": p["b_f"] + 5000}
    assert run(cell, large, inputs).isfinite().all()


def test_a_legendre_memory_holds_the_last_steps():
    """Alone catches a memory of another system: what it says of the past is the past, by Legendre polynomials."""
    cell = build("lmu", order=12, longest=40)
    p = cell.prepared(cell.initial_parameters(1, 0))
    assert (torch.linalg.eigvals(p["A_m"]).abs() < 1).all()
    signal = [math.sin(0.1 * t) for t in range(200)]
    m = torch.zeros(12, dtype=torch.float64)
    for u in signal:
        m = p["A_m"] @ m + p["B_m"] * u
    for delay in (4, 20, 36):
        past_input = np.polynomial.legendre.legval(2 * delay / 40 - 1, m.numpy())
        assert past_input == pytest.approx(math.sin(0.1 * (199 - delay + 0.5)), abs=0.02)  # a hold is half a step old
    p = start("lmu", 100)[1]
    assert is_normal(p["U_h"], 0.1) and is_normal(p["M_h"], math.sqrt(2 / 132)) and not p["M_u"].any()
    assert within(p["U_u"], -math.sqrt(0.03), math.sqrt(0.03))


def test_a_cornn_starts_as_one_linear_layer():
    _, p = start("cornn", 49)
    assert all(within(tensor, -0.1, 0.1) for tensor in p.values())


def test_a_cfc_starts_by_glorot():
    _, p = start("cfc", 98, backbone=50)
    assert all(within(p[key], -0.2, 0.2) for key in ("W_h", "U_h"))  # √(6 / (50 + 100))
    assert within(p["P_a"], -math.sqrt(6 / 148), math.sqrt(6 / 148))
    assert within(p["b_h"], -0.1, 0.1) and within(p["b_a"], -1 / math.sqrt(50), 1 / math.sqrt(50))


# Networks


@each_cell
@pytest.mark.parametrize("layers", [1, 2])
def test_exact_transport_makes_the_gradient_of_the_loss(name, layers, perturbed, normal):
    """Alone catches a state that measurements do not take: one wider than its hidden units, alone and in a stack."""
    network = Network.build({"cell": name, "layers": layers, **SMALL.get(name, {})}, INPUTS, UNITS, False)
    parameters, x, y = perturbed(network), normal(2, 8, INPUTS), normal(2, 8)
    cell_parameters = {key: p.clone().requires_grad_() for key, p in parameters.items() if key != "w"}
    errors = network.predict(parameters, run(network.cell, cell_parameters, x)[:, 1:]) - y
    gradients = TorchEngine().gradients(network, parameters, x, 2 * errors.detach()[None], [1, 3], "exact")
    for sequence, gradient in enumerate(gradients):
        loss = errors[sequence].square().sum()
        expected = torch.autograd.grad(loss, list(cell_parameters.values()), retain_graph=True)
        torch.testing.assert_close(gradient.whole[0], torch.cat([tensor.flatten() for tensor in expected]), **EXACT)


@pytest.mark.parametrize("module", sorted({kind.__module__ for kind in COMPARED.values()}))
def test_examples_in_docstrings_run(module):
    failures, attempts = doctest.testmod(sys.modules[module])
    assert attempts > 0
    assert not failures


@each_cell
def test_a_network_has_as_many_units_as_parameters_allow(name):
    task = DelayedSum(2, 9, [2], [1.0], 0.3, root_seed=1, seed=0)
    of = {"cell": name, **SMALL.get(name, {})}
    network = Network.for_task(of, task, parameters=400)
    units = network.cell.hidden_size
    sizes = [Network.for_task(of, task, hidden_size=units + more).count_parameters() for more in (-1, 0, 1)]
    assert sizes[0] < sizes[1] <= 400 < sizes[2]


@each_cell
def test_initial_parameters_are_of_their_seeds_and_run(name):
    cell = COMPARED[name](INPUTS, 5)
    p = cell.initial_parameters(1, 0)
    assert all(torch.equal(tensor, cell.initial_parameters(1, 0)[key]) for key, tensor in p.items())
    assert any(not torch.equal(tensor, cell.initial_parameters(1, 1)[key]) for key, tensor in p.items())
    assert all(tensor.dtype == torch.float64 for tensor in p.values())
    inputs = torch.from_numpy(np.random.default_rng(0).normal(size=(2, 100, INPUTS)))
    states = run(cell, {key: tensor.float() for key, tensor in p.items()}, inputs.float())
    assert states.dtype == torch.float32 and states.isfinite().all()
    torch.testing.assert_close(states[:, -1].double(), run(cell, p, inputs)[:, -1], rtol=1e-2, atol=1e-3)
