import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.func import jacrev, jvp, vjp, vmap

from learnability.cells import GATED, GRU, LSTM, ConstGate, DiagGate, SharedGate
from learnability.core.errors import InputError
from networks import LAYER_NORM, cell_parameters

diagonal_retention = pytest.mark.parametrize("architecture", sorted({*GATED, *LAYER_NORM} - {"lstm"}))
leaky = pytest.mark.parametrize("architecture", ["const_gate", "shared_gate", "diag_gate"])
with_layer_norm = pytest.mark.parametrize("architecture", LAYER_NORM)


@pytest.fixture(params=[*GATED, *LAYER_NORM])
def architecture(request):
    return request.param


@pytest.fixture
def point(network, normal):
    """Previous states and inputs over (sequence, time)."""
    return normal(2, 4, network.cell.state_size), normal(2, 4, network.cell.input_size)


def test_retention_and_mixing_sum_to_the_derivative_of_the_step(network, parameters, point):
    derivative = vmap(vmap(jacrev(lambda state, x: network.cell.step(parameters, state, x))))(*point)
    split = network.cell.linearize(parameters, *point).split()
    torch.testing.assert_close(split.whole, derivative, rtol=1e-12, atol=1e-14)


@diagonal_retention
def test_jacobian_diagonals_are_the_diagonals_of_both_parts(network, parameters, point):
    linearization = network.cell.linearize(parameters, *point)
    split, diagonals = linearization.split(), linearization.diagonals()
    torch.testing.assert_close(diagonals.retention, split.retention.diagonal(dim1=-2, dim2=-1), rtol=0, atol=0)
    torch.testing.assert_close(diagonals.mixing, split.mixing.diagonal(dim1=-2, dim2=-1), rtol=1e-14, atol=1e-16)


def test_products_with_the_jacobian_need_no_matrix(network, parameters, point, normal):
    linearization, vector = network.cell.linearize(parameters, *point), normal(2, 4, network.cell.state_size)
    jacobian = linearization.split().whole
    along, back = linearization.along_state(vector), linearization.pull_back(vector)
    torch.testing.assert_close(along, (jacobian @ vector[..., None])[..., 0], rtol=1e-12, atol=1e-14)
    torch.testing.assert_close(back, (vector[..., None, :] @ jacobian)[..., 0, :], rtol=1e-12, atol=1e-14)


def test_the_derivative_along_parameters_is_that_of_the_step(network, parameters, point, normal):
    w = {name: normal(*p.shape) for name, p in cell_parameters(parameters).items()}
    _, expected = jvp(lambda p: network.cell.step(p, *point), (cell_parameters(parameters),), (w,))
    derivative = network.cell.linearize(parameters, *point).along_parameters(w)
    torch.testing.assert_close(derivative, expected, rtol=1e-12, atol=1e-14)


def test_the_gradient_of_covectors_is_that_of_the_step(network, parameters, point, normal):
    covector, theta = normal(3, 2, 4, network.cell.state_size), cell_parameters(parameters)
    gradient = network.cell.linearize(theta, *point).gradient(covector)
    assert set(gradient) == set(theta)
    for lag in range(3):
        for sequence in range(2):
            state, x = point[0][sequence], point[1][sequence]
            (expected,) = vjp(lambda p, s=state, x=x: network.cell.step(p, s, x), theta)[1](covector[lag, sequence])
            for name, expected_gradient in expected.items():
                torch.testing.assert_close(gradient[name][lag, sequence], expected_gradient, rtol=1e-12, atol=1e-14)


def test_a_linearization_at_some_points_is_that_of_those_points(network, parameters, point):
    whole, (state, x) = network.cell.linearize(parameters, *point), point
    part, alone = whole[:, 2], network.cell.linearize(parameters, state[:, 2], x[:, 2])
    torch.testing.assert_close(part.split().whole, alone.split().whole, rtol=1e-13, atol=1e-15)
    w = cell_parameters(parameters)
    torch.testing.assert_close(part.along_parameters(w), alone.along_parameters(w), rtol=1e-13, atol=1e-15)


@diagonal_retention
def test_retention_is_one_minus_the_gate(network, parameters, point):
    gate = network.cell.gate(parameters, *point)
    assert ((gate > 0) & (gate < 1)).all()
    retention = network.cell.linearize(parameters, *point).split().retention
    expected = torch.diag_embed((1 - gate).expand_as(point[0]))
    torch.testing.assert_close(retention, expected, rtol=0, atol=0)


@leaky
def test_the_step_mixes_state_and_candidate_by_the_gate(network, parameters, point):
    (state, x), p = point, parameters
    after, gate = network.cell.step(p, state, x), network.cell.gate(p, state, x)
    for at in np.ndindex(2, 4):
        candidate = torch.tanh(p["W_h"] @ x[at] + p["U_h"] @ state[at] + p["b_h"])
        expected = (1 - gate[at]) * state[at] + gate[at] * candidate
        torch.testing.assert_close(after[at], expected, rtol=1e-13, atol=1e-14)


@with_layer_norm
def test_layer_norm_is_that_of_torch_on_the_pre_activation_bias_included(network, parameters, point):
    (state, x), p = point, parameters
    layer_norm = torch.nn.LayerNorm(5, dtype=torch.float64)
    layer_norm.load_state_dict({"weight": p["gain_h"], "bias": p["offset_h"]})
    after, gate = network.cell.step(p, state, x), network.cell.gate(p, state, x)
    for at in np.ndindex(2, 4):
        candidate = torch.tanh(layer_norm(path(p, "h", x[at], state[at])))
        expected = (1 - gate[at]) * state[at] + gate[at] * candidate
        torch.testing.assert_close(after[at], expected.detach(), rtol=1e-13, atol=1e-14)


@with_layer_norm
def test_first_order_diagonals_with_layer_norm_have_the_derivative_of_mean_and_variance(network, parameters, point):
    diagonals = network.cell.linearize(parameters, *point).diagonals()
    derivative = vmap(vmap(jacrev(lambda state, x: network.cell.step(parameters, state, x))))(*point)
    gate, candidate = (of(parameters, *point) for of in (network.cell.gate, network.cell.candidate))
    without = gate * (1 - candidate**2) * parameters["U_h"].diagonal()
    if network.cell.gate_size:
        without = without + (candidate - point[0]) * gate * (1 - gate) * parameters["U_s"].expand(5, -1).diagonal()
    expected = derivative.diagonal(dim1=-2, dim2=-1) - (1 - gate)
    torch.testing.assert_close(diagonals.mixing, expected, rtol=1e-12, atol=1e-14)
    assert (without - expected).norm() > 0.1 * expected.norm()  # the author's public code has that


@with_layer_norm
def test_layer_norm_starts_as_gain_1_and_offset_0_and_leaves_all_else_as_it_starts(network):
    initial = network.cell.initial_parameters(1, 0)
    gain, offset = initial.pop("gain_h"), initial.pop("offset_h")
    assert (gain == 1).all() and (offset == 0).all()
    plain = replace(network.cell, layer_norm=False).initial_parameters(1, 0)
    assert list(initial) == list(plain)
    assert all(torch.equal(initial[name], tensor) for name, tensor in plain.items())


def path(p, name, x, h):
    """The pre-activation of one path."""
    return p[f"W_{name}"] @ x + p[f"U_{name}"] @ h + p[f"b_{name}"]


@pytest.mark.parametrize("architecture", ["gru"])
def test_a_gru_step_is_equations_15_to_18(network, parameters, point):
    (state, x), p = point, parameters
    after = network.cell.step(p, state, x)
    for at in np.ndindex(2, 4):
        h, inputs = state[at], x[at]
        z, r = torch.sigmoid(path(p, "z", inputs, h)), torch.sigmoid(path(p, "r", inputs, h))
        candidate = torch.tanh(p["W_h"] @ inputs + p["U_h"] @ (r * h) + p["b_h"])
        torch.testing.assert_close(after[at], (1 - z) * h + z * candidate, rtol=1e-13, atol=1e-14)
        torch.testing.assert_close(network.cell.reset(p, h, inputs), r, rtol=1e-14, atol=0)


@pytest.mark.parametrize("architecture", ["lstm"])
def test_an_lstm_step_is_that_of_torch(network, parameters, point):
    p, reference = parameters, torch.nn.LSTMCell(3, 5, dtype=torch.float64)
    stacks = [torch.cat([p[f"{kind}_{name}"] for name in "ifgo"]) for kind in "WUb"]
    weights = dict(zip(("weight_ih", "weight_hh", "bias_ih"), stacks, strict=True))
    reference.load_state_dict(weights | {"bias_hh": torch.zeros(20, dtype=torch.float64)})
    (h, c), x = (part.flatten(0, 1) for part in point[0].chunk(2, -1)), point[1].flatten(0, 1)
    expected = torch.cat(reference(x, (h, c)), 1).detach()
    after = network.cell.step(p, *point).flatten(0, 1)
    torch.testing.assert_close(after, expected, rtol=1e-13, atol=1e-14)
    torch.testing.assert_close(network.cell.output(after), expected[:, :5], rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("architecture", ["lstm"])
def test_the_retention_of_an_lstm_is_the_path_through_its_cell_state(network, parameters, point):
    (state, x), p = point, parameters
    linearization = network.cell.linearize(p, state, x)
    gate, split, diagonals = network.cell.gate(p, state, x), linearization.split(), linearization.diagonals()
    after = network.cell.step(p, state, x)
    for at in np.ndindex(2, 4):
        f = torch.sigmoid(path(p, "f", x[at], state[at][:5]))
        o = torch.sigmoid(path(p, "o", x[at], state[at][:5]))
        zero, tanh_c = torch.zeros(5, 5, dtype=torch.float64), torch.tanh(after[at][5:])
        blocks = [[zero, torch.diag(o * (1 - tanh_c**2) * f)], [zero, torch.diag(f)]]
        expected = torch.cat([torch.cat(row, 1) for row in blocks])
        torch.testing.assert_close(split.retention[at], expected, rtol=1e-13, atol=1e-15)
        torch.testing.assert_close(gate[at], 1 - f, rtol=1e-13, atol=0)
        torch.testing.assert_close(diagonals.retention[at], f, rtol=1e-14, atol=0)
        torch.testing.assert_close(diagonals.mixing[at], split.mixing[at][5:, :5].diagonal(), rtol=1e-13, atol=1e-15)


def test_the_lstm_reduction_gives_its_output_gate_no_signal():
    networks = pytest.importorskip("studies.learnability_window.theory.random_networks")  # the wheel has no studies
    cell, parameters = networks.random_cell("lstm", np.random.default_rng(0))
    states, inputs = networks.random_trajectory(cell, parameters, 1, 6, np.random.default_rng(1))
    w = {name: tensor * name.endswith("_o") for name, tensor in parameters.items()}
    tangent = cell.linearize(parameters, states, inputs).along_parameters(w)
    assert (cell.memory(tangent) == 0).all() and (cell.output(tangent).abs() > 0).any()


@pytest.mark.parametrize("method", ["step", "gate", "split", "diagonals"])
def test_mapping_over_leading_dimensions_equals_looping(network, parameters, point, method):
    def parts(state, x):
        if method in ("step", "gate"):
            return (getattr(network.cell, method)(parameters, state, x),)
        result = getattr(network.cell.linearize(parameters, state, x), method)()
        return tuple(part for part in result if part is not None)

    together = parts(*point)
    for at in np.ndindex(2, 4):
        alone = parts(*(tensor[at] for tensor in point))
        for whole, part in zip(together, alone, strict=True):
            torch.testing.assert_close(whole[at], part, rtol=1e-13, atol=1e-15)


def test_a_shared_gate_is_a_diagonal_gate_with_equal_rows(build, perturbed, normal):
    shared_gate, diagonal = build("shared_gate").cell, build("diag_gate").cell
    one_row = perturbed(build("shared_gate"))
    rows = one_row | {name: one_row[name].repeat_interleave(5, 0) for name in ("W_s", "U_s", "b_s")}
    state, x = normal(4, 5), normal(4, 3)
    split, expected = (cell.linearize(p, state, x).split() for cell, p in ((shared_gate, one_row), (diagonal, rows)))
    torch.testing.assert_close(tuple(split), tuple(expected), rtol=1e-13, atol=1e-15)


def test_a_diagonal_gate_is_a_gru_that_resets_nothing(build, perturbed, normal):
    gru, diagonal = build("gru"), build("diag_gate")
    p = perturbed(gru)
    p["W_r"], p["U_r"] = torch.zeros_like(p["W_r"]), torch.zeros_like(p["U_r"])
    p["b_r"] = torch.full_like(p["b_r"], 40)  # σ(40) = 1 to the last bit
    equivalent = p | {f"{kind}_s": p[f"{kind}_z"] for kind in "WUb"}
    state, x, vector = normal(4, 5), normal(4, 3), normal(4, 5)
    for method in ("step", "gate"):
        result, expected = getattr(gru.cell, method)(p, state, x), getattr(diagonal.cell, method)(equivalent, state, x)
        torch.testing.assert_close(result, expected, rtol=1e-13, atol=1e-15)
    gru_steps, leaky = gru.cell.linearize(p, state, x), diagonal.cell.linearize(equivalent, state, x)
    torch.testing.assert_close(tuple(gru_steps.split()), tuple(leaky.split()), rtol=1e-13, atol=1e-15)
    torch.testing.assert_close(gru_steps.diagonals()[:2], leaky.diagonals()[:2], rtol=1e-13, atol=1e-15)
    for method in ("along_state", "pull_back"):
        result, expected = getattr(gru_steps, method)(vector), getattr(leaky, method)(vector)
        torch.testing.assert_close(result, expected, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("input_size", [2, 5, 8])
def test_weights_start_orthogonal(build, architecture, input_size):
    initial = build(architecture, input_size=input_size).cell.initial_parameters(1, 0)
    candidate = "g" if architecture == "lstm" else "h"
    for matrix in (initial[f"W_{candidate}"], initial[f"U_{candidate}"]):
        gram = matrix.T @ matrix if len(matrix) >= matrix.shape[1] else matrix @ matrix.T
        torch.testing.assert_close(gram, torch.eye(len(gram), dtype=torch.float64), rtol=0, atol=1e-13)


def test_biases_and_gate_weights_start_at_zero(network):
    # The biases of gates that start elsewhere than at 1/2 are looked at below.
    initial = network.cell.initial_parameters(1, 0)
    gates = {f"{kind}_{name}" for kind in "WU" for name in "szrifo"}
    for name in ({"b_h", "b_g", "b_r", "b_o"} | gates) & set(initial):
        assert not initial[name].any()


@pytest.mark.parametrize("cell", [SharedGate, DiagGate, GRU, LSTM])
@pytest.mark.parametrize("gate_init", [0.5, 0.005])
def test_a_learned_gate_starts_at_gate_init_whatever_the_input(cell, gate_init, normal):
    cell = cell(3, 5, gate_init=gate_init)
    initial, state, x = cell.initial_parameters(1, 0), 1e3 * normal(10, cell.state_size), 1e3 * normal(10, 3)
    gate = cell.gate(initial, state, x)
    torch.testing.assert_close(gate, torch.full_like(gate, gate_init), rtol=1e-13, atol=0)


def test_an_lstm_starts_as_a_leaky_cell_behind_a_half_open_output(normal):
    cell, state, x = LSTM(3, 5, gate_init=0.2), normal(10, 10), normal(10, 3)
    p = cell.initial_parameters(1, 0)
    candidate = torch.tanh(x @ p["W_g"].T + state[:, :5] @ p["U_g"].T)
    after = cell.step(p, state, x)
    torch.testing.assert_close(after[:, 5:], 0.8 * state[:, 5:] + 0.2 * candidate, rtol=1e-13, atol=1e-15)
    torch.testing.assert_close(after[:, :5], torch.tanh(after[:, 5:]) / 2, rtol=1e-13, atol=1e-15)


def test_a_gru_starts_with_a_half_open_reset(normal):
    cell = GRU(3, 5, gate_init=0.2)
    reset = cell.reset(cell.initial_parameters(1, 0), 1e3 * normal(10, 5), 1e3 * normal(10, 3))
    assert (reset == 0.5).all()


def test_a_constant_gate_has_nothing_to_learn(build, perturbed, normal):
    network = build("const_gate")
    assert set(network.cell.initial_parameters(1, 0)) == {"W_h", "U_h", "b_h"}
    assert (network.cell.gate(perturbed(network), normal(4, 5), normal(4, 3)) == 0.7).all()


def test_architectures_of_a_seed_start_from_the_same_candidate_weights(build):
    # An LSTM names its candidate g, as the paper does, and so starts elsewhere.
    first, *rest = (build(name).cell.initial_parameters(1, 0) for name in GATED if name != "lstm")
    for initial in rest:
        assert torch.equal(first["W_h"], initial["W_h"])
        assert torch.equal(first["U_h"], initial["U_h"])


def test_seeds_and_studies_start_from_different_weights(network):
    candidate = "U_g" if "U_g" in network.cell.initial_parameters(1, 0) else "U_h"
    starts = [
        network.cell.initial_parameters(root_seed, seed)[candidate] for root_seed, seed in ((1, 0), (1, 1), (2, 0))
    ]
    assert (starts[0] - starts[1]).norm() > 0.1
    assert (starts[0] - starts[2]).norm() > 0.1
    assert torch.equal(starts[0], network.cell.initial_parameters(1, 0)[candidate])


def test_each_parameter_has_a_stream_of_its_own(build):
    # Square W_h and U_h of one seed would be equal if they shared a stream.
    initial = build("const_gate", input_size=5).cell.initial_parameters(1, 0)
    assert (initial["W_h"] - initial["U_h"]).norm() > 0.1


@pytest.mark.parametrize("value", [0.0, 1.0, -0.1, 1.5, math.nan])
@pytest.mark.parametrize(
    ("cell", "key"),
    [(ConstGate, "gate_value"), *((cell, "gate_init") for cell in (SharedGate, DiagGate, GRU, LSTM))],
)
def test_gates_outside_their_interval_are_refused_by_name(cell, key, value):
    if (cell, value) == (ConstGate, 1.0):
        assert cell(3, 5, gate_value=value).gate_value == 1.0  # a plain recurrence
        return
    with pytest.raises(InputError, match=f"'{key}' must be in .0, 1[)\\]]. Got {value}"):
        cell(3, 5, **{key: value})
