import math

import numpy as np
import pytest
import torch
from torch.func import jacrev, vmap

from learnability.cells import CELLS, ConstGate, DiagGate, SharedGate
from learnability.errors import InputError


@pytest.fixture
def point(network, normal):
    """Previous states and inputs over (sequence, time)."""
    return normal(2, 4, network.cell.hidden_size), normal(2, 4, network.cell.input_size)


def test_retention_and_mixing_sum_to_the_derivative_of_the_step(network, parameters, point):
    derivative = vmap(vmap(jacrev(lambda state, x: network.cell.step(parameters, state, x))))(*point)
    split = network.cell.jacobian(parameters, *point)
    torch.testing.assert_close(split.whole, derivative, rtol=1e-12, atol=1e-14)


def test_jacobian_diagonals_are_the_diagonals_of_both_parts(network, parameters, point):
    split, diagonals = network.cell.jacobian(parameters, *point), network.cell.jacobian_diagonals(parameters, *point)
    torch.testing.assert_close(diagonals.retention, split.retention.diagonal(dim1=-2, dim2=-1), rtol=0, atol=0)
    torch.testing.assert_close(diagonals.mixing, split.mixing.diagonal(dim1=-2, dim2=-1), rtol=1e-14, atol=1e-16)


def test_the_jacobian_vector_product_needs_no_matrix(network, parameters, point, normal):
    jacobian = network.cell.jacobian(parameters, *point).whole
    vector = normal(2, 4, network.cell.hidden_size)
    expected = (jacobian @ vector[..., None])[..., 0]
    found = network.cell.jacobian_vector_product(parameters, *point, vector)
    torch.testing.assert_close(found, expected, rtol=1e-12, atol=1e-14)


def test_retention_is_one_minus_the_gate(network, parameters, point):
    gate = network.cell.gate(parameters, *point)
    assert ((gate > 0) & (gate < 1)).all()
    retention = network.cell.jacobian(parameters, *point).retention
    expected = torch.diag_embed((1 - gate).expand_as(point[0]))
    torch.testing.assert_close(retention, expected, rtol=0, atol=0)


def test_the_step_mixes_state_and_candidate_by_the_gate(network, parameters, point):
    (state, x), p = point, parameters
    found, gate = network.cell.step(p, state, x), network.cell.gate(p, state, x)
    for at in np.ndindex(2, 4):
        candidate = torch.tanh(p["W_h"] @ x[at] + p["U_h"] @ state[at] + p["b_h"])
        expected = (1 - gate[at]) * state[at] + gate[at] * candidate
        torch.testing.assert_close(found[at], expected, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("method", ["step", "gate", "jacobian", "jacobian_diagonals"])
def test_mapping_over_leading_dimensions_equals_looping(network, parameters, point, method):
    def parts(state, x):
        result = getattr(network.cell, method)(parameters, state, x)
        return result if isinstance(result, tuple) else (result,)

    together = parts(*point)
    for at in np.ndindex(2, 4):
        alone = parts(*(each[at] for each in point))
        for whole, part in zip(together, alone, strict=True):
            torch.testing.assert_close(whole[at], part, rtol=1e-13, atol=1e-15)


def test_a_shared_gate_is_a_diagonal_gate_with_equal_rows(build, perturbed, normal):
    shared, diagonal = build("shared_gate").cell, build("diag_gate").cell
    one_row = perturbed(build("shared_gate"))
    rows = one_row | {name: one_row[name].repeat_interleave(5, 0) for name in ("W_s", "U_s", "b_s")}
    state, x = normal(4, 5), normal(4, 3)
    for found, expected in zip(shared.jacobian(one_row, state, x), diagonal.jacobian(rows, state, x), strict=True):
        torch.testing.assert_close(found, expected, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("input_size", [2, 5, 8])
def test_weights_start_orthogonal(build, architecture, input_size):
    initial = build(architecture, input_size=input_size).cell.initial_parameters(1, 0)
    for matrix in (initial["W_h"], initial["U_h"]):
        gram = matrix.T @ matrix if len(matrix) >= matrix.shape[1] else matrix @ matrix.T
        torch.testing.assert_close(gram, torch.eye(len(gram), dtype=torch.float64), rtol=0, atol=1e-13)


def test_biases_and_gate_weights_start_at_zero(network):
    initial = network.cell.initial_parameters(1, 0)
    for name in {"b_h", "W_s", "U_s"} & set(initial):
        assert not initial[name].any()


@pytest.mark.parametrize("cell", [SharedGate, DiagGate])
@pytest.mark.parametrize("gate_init", [0.5, 0.005])
def test_a_learned_gate_starts_at_gate_init_whatever_the_input(cell, gate_init, normal):
    cell = cell(3, 5, gate_init=gate_init)
    gate = cell.gate(cell.initial_parameters(1, 0), 1e3 * normal(10, 5), 1e3 * normal(10, 3))
    torch.testing.assert_close(gate, torch.full_like(gate, gate_init), rtol=1e-14, atol=0)


def test_a_constant_gate_has_nothing_to_learn(build, perturbed, normal):
    network = build("const_gate")
    assert set(network.cell.initial_parameters(1, 0)) == {"W_h", "U_h", "b_h"}
    assert (network.cell.gate(perturbed(network), normal(4, 5), normal(4, 3)) == 0.7).all()


def test_architectures_of_a_seed_start_from_the_same_candidate_weights(build):
    first, *others = (build(name).cell.initial_parameters(1, 0) for name in CELLS)
    for other in others:
        assert torch.equal(first["W_h"], other["W_h"])
        assert torch.equal(first["U_h"], other["U_h"])


def test_seeds_and_studies_start_from_different_weights(network):
    starts = [network.cell.initial_parameters(study, seed)["U_h"] for study, seed in ((1, 0), (1, 1), (2, 0))]
    assert (starts[0] - starts[1]).norm() > 0.1
    assert (starts[0] - starts[2]).norm() > 0.1
    assert torch.equal(starts[0], network.cell.initial_parameters(1, 0)["U_h"])


def test_each_parameter_has_a_stream_of_its_own(build):
    # Square W_h and U_h of one seed would be equal if they shared a stream.
    initial = build("const_gate", input_size=5).cell.initial_parameters(1, 0)
    assert (initial["W_h"] - initial["U_h"]).norm() > 0.1


@pytest.mark.parametrize("value", [0.0, 1.0, -0.1, 1.5, math.nan])
@pytest.mark.parametrize(
    ("cell", "key"), [(ConstGate, "gate_value"), (SharedGate, "gate_init"), (DiagGate, "gate_init")]
)
def test_gates_outside_the_open_unit_interval_are_refused_by_name(cell, key, value):
    with pytest.raises(InputError, match=f"'{key}' must be in .0, 1.. Got {value}"):
        cell(3, 5, **{key: value})
