"""RNN, orth-RNN, expRNN, GORU and the LSTM with h-detach, against their equations."""

import numpy as np
import pytest
import torch
from scipy.linalg import expm
from torch.func import jacrev, vjp

from learnability.cells import GORU, LSTM, PLAIN, RNN, ExpRNN, OrthRNN
from learnability.cells.goru import rotation
from learnability.cells.vanilla import modrelu, skew
from learnability.core.errors import InputError
from learnability.networks.network import Network, hidden_units, run
from learnability.training.engines import AutogradEngine, extras
from networks import build_cell, random_parameters

EXACT = {"rtol": 0, "atol": 1e-12}


def test_modrelu_shrinks_the_size_and_keeps_the_sign():
    a, m = torch.tensor([-2.0, -0.5, 0.0, 0.5, 2.0]), torch.tensor(-1.0)
    assert modrelu(a, m.expand(5)).tolist() == [-1, 0, 0, 0, 1]
    assert modrelu(a, -m.expand(5)).tolist() == [-3, -1.5, 0, 1.5, 3]
    assert torch.equal(jacrev(modrelu)(a, torch.zeros(5)), torch.eye(5))


@pytest.mark.parametrize("nonlinearity", ["tanh", "modrelu"])
@pytest.mark.parametrize("kind", [RNN, OrthRNN, ExpRNN])
def test_a_step_is_equation_1(normal, kind, nonlinearity):
    cell = build_cell(kind, nonlinearity=nonlinearity)
    p, h, x = random_parameters(cell, normal), normal(4), normal(3)
    A = p["A_h"].triu(1).numpy() if kind is ExpRNN else None
    U = p["U_h"] if A is None else torch.from_numpy(expm(A - A.T))
    a = p["W_h"] @ x + U @ h + p["b_h"]
    expected = a.tanh() if nonlinearity == "tanh" else torch.sign(a) * (a.abs() + p["m_h"]).clamp(min=0)
    torch.testing.assert_close(cell.step(p, h, x), expected, rtol=1e-12, atol=1e-13)


def test_a_goru_step_is_its_equations(normal):
    cell = build_cell(GORU)
    p, h, x = random_parameters(cell, normal), normal(4), normal(3)
    z, r = (torch.sigmoid(p[f"W_{k}"] @ x + p[f"U_{k}"] @ h + p[f"b_{k}"]) for k in "zr")
    U = torch.eye(4, dtype=torch.float64)
    for layer, pairs in zip(p["theta_h"], [[(0, 2), (1, 3)], [(0, 1), (2, 3)]], strict=True):
        turn = torch.eye(4, dtype=torch.float64)
        for angle, (i, j) in zip(layer, pairs, strict=True):
            turn[i, i] = turn[j, j] = angle.cos()
            turn[i, j], turn[j, i] = -angle.sin(), angle.sin()
        U = turn @ U
    a = p["W_h"] @ x + r * (U @ h)
    candidate = torch.sign(a) * (a.abs() + p["m_h"]).clamp(min=0)
    torch.testing.assert_close(cell.step(p, h, x), (1 - z) * h + z * candidate, rtol=1e-12, atol=1e-13)
    torch.testing.assert_close(cell.gate(p, h, x), z, rtol=1e-12, atol=0)


@pytest.mark.parametrize("units", [2, 8, 64])
def test_a_product_of_turns_is_a_rotation(normal, units):
    layers = units.bit_length() - 1
    U = rotation(normal(layers, units // 2))
    torch.testing.assert_close(U.T @ U, torch.eye(units, dtype=torch.float64), **EXACT)
    assert torch.linalg.det(U).item() == pytest.approx(1, abs=1e-12)
    assert (U.abs() > 1e-12).all()  # every unit reaches every other


@pytest.mark.parametrize("units", [0, 1, 6])
def test_a_goru_has_a_power_of_2_of_units(units):
    with pytest.raises(InputError, match=f"'hidden_size' must be a power of 2, .* Got {units}"):
        build_cell(GORU, units)


@pytest.mark.parametrize("kind", [OrthRNN, ExpRNN])
@pytest.mark.parametrize("units", [4, 5])
def test_orthogonal_cells_start_from_turns_of_pairs_of_units(kind, units):
    cell = build_cell(kind, units)
    U = cell.prepared(cell.initial_parameters(1, 0))["U_h"]
    torch.testing.assert_close(U.T @ U, torch.eye(units, dtype=torch.float64), **EXACT)
    pairs = U[: 2 * (units // 2), : 2 * (units // 2)].reshape(units // 2, 2, units // 2, 2)
    assert pairs.norm(dim=(1, 3)).fill_diagonal_(0).max() == 0
    assert (U.diagonal() < 0.999).sum() == 2 * (units // 2)


def train_steps(cell, normal, updates=20):
    network = Network(cell)
    theta, x, y = network.initial_parameters(0, 0), normal(1, 4, 10, 3), normal(1, 4, 10)
    engine, optimizer = AutogradEngine(network, [theta]), torch.optim.SGD(list(theta.values()), 0.05)
    for _ in range(updates):
        engine.losses_and_gradients(x, y)
        optimizer.step()
    return theta


def test_expm_keeps_the_matrix_a_rotation_and_an_orthogonal_start_does_not(normal):
    off = {}
    for kind in (OrthRNN, ExpRNN):
        cell = build_cell(kind, 6)
        theta, start = train_steps(cell, normal), cell.initial_parameters(0, 0)
        U = cell.prepared(theta)["U_h"].detach()
        assert (U - cell.prepared(start)["U_h"]).norm() > 0.01
        off[kind] = (U.T @ U - torch.eye(6, dtype=torch.float64)).abs().max()
    assert off[ExpRNN] < 1e-12
    assert off[OrthRNN] > 1e-3


def test_a_trained_exp_rnn_keeps_the_norm_where_modrelu_is_the_identity(normal):
    cell = build_cell(ExpRNN, 6)
    theta = {name: p.detach() for name, p in train_steps(cell, normal).items()}
    theta |= {name: torch.zeros_like(theta[name]) for name in ("b_h", "m_h", "W_h")}
    state = start = normal(3, 6)
    for _ in range(50):
        state = cell.step(theta, state, normal(3, 3))
    torch.testing.assert_close(state.norm(dim=1), start.norm(dim=1), rtol=1e-12, atol=0)


def test_a_skew_matrix_is_of_what_is_above_the_diagonal(normal):
    A = normal(4, 4)
    assert torch.equal(skew(A), -skew(A).T)
    assert torch.equal(skew(A).triu(1), A.triu(1))


@pytest.mark.parametrize("name", PLAIN)
def test_prepared_parameters_are_those_of_a_run(normal, name):
    cell = build_cell(PLAIN[name])
    p, x = random_parameters(cell, normal), normal(2, 6, 3)
    weights = cell.prepared(p)
    assert cell.prepared(weights) == weights
    state = cell.initial_state(x[:, 0])
    for t in range(6):
        state = cell.step(p, state, x[:, t])
    torch.testing.assert_close(run(cell, p, x)[:, -1], state, rtol=1e-13, atol=1e-14)
    torch.testing.assert_close(hidden_units(cell, p, x)[:, -1], state, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("name", PLAIN)
def test_plain_cells_are_linearized_as_they_step(normal, name):
    cell = build_cell(PLAIN[name])
    p, states, x, v = random_parameters(cell, normal), normal(3, 4), normal(3, 3), normal(3, 4)
    steps = cell.linearize(p, states, x)
    for t in range(3):
        jacobian = jacrev(lambda h, t=t: cell.step(p, h, x[t]))(states[t])
        torch.testing.assert_close(steps.split().whole[t], jacobian, rtol=1e-10, atol=1e-12)
    (expected,) = vjp(lambda parameters: cell.step(parameters, states, x), p)[1](v)
    torch.testing.assert_close(steps.gradient(v), expected, rtol=1e-10, atol=1e-12)


def test_h_detach_with_probability_0_is_the_lstm_bit_for_bit(normal):
    plain = LSTM(3, 4, gate_init=0.4)
    never = LSTM(3, 4, gate_init=0.4, h_detach=0.0)
    assert never == plain
    assert extras(Network(never), 0, False) == ()
    assert extras(Network(LSTM(3, 4, gate_init=0.4, h_detach=0.1)), 0, False) == ("random steps",)
    p, state, x = random_parameters(plain, normal), normal(5, 8), normal(5, 3)
    leaf = state.clone().requires_grad_()
    after = never.noisy_step(p, leaf, x, torch.Generator().manual_seed(0))
    assert torch.equal(after, plain.step(p, state, x))
    (gradient,) = torch.autograd.grad(after.square().sum(), leaf)
    twin = state.clone().requires_grad_()
    assert torch.equal(gradient, torch.autograd.grad(plain.step(p, twin, x).square().sum(), twin)[0])


def test_h_detach_with_probability_1_leaves_the_cell_path_alone(normal):
    cell, generator = LSTM(3, 4, gate_init=0.4, h_detach=1.0), torch.Generator().manual_seed(0)
    p, state, x = random_parameters(cell, normal), normal(8), normal(3)
    assert torch.equal(cell.noisy_step(p, state, x, generator), cell.step(p, state, x))
    jacobian = torch.autograd.functional.jacobian(lambda s: cell.noisy_step(p, s, x, generator), state)
    torch.testing.assert_close(jacobian, cell.linearize(p, state, x).split().retention, rtol=1e-12, atol=1e-14)


def test_h_detach_blocks_its_share_of_steps(normal):
    cell, generator = LSTM(3, 4, gate_init=0.4, h_detach=0.25), torch.Generator().manual_seed(0)
    p, x, blocks = random_parameters(cell, normal), normal(3, 3), 0
    for _ in range(400):
        state = normal(3, 8).requires_grad_()
        (gradient,) = torch.autograd.grad(cell.noisy_step(p, state, x, generator).sum(), state)
        rows = (gradient[:, :4] == 0).all(1)
        assert rows.all() or not rows.any()  # a step draws once for all sequences
        blocks += bool(rows.all())
    assert blocks == pytest.approx(100, abs=4 * np.sqrt(75))


@pytest.mark.parametrize("p", [-0.1, 1.5])
def test_a_probability_outside_0_and_1_is_named(p):
    with pytest.raises(InputError, match=rf"'h_detach' must be in \[0, 1\]. Got {p}"):
        LSTM(3, 4, gate_init=0.4, h_detach=p)


def test_a_goru_starts_with_the_gates_that_it_says():
    cell = GORU(3, 4, gate_init=0.3)
    theta = cell.initial_parameters(1, 0)
    assert theta["b_r"].tolist() == pytest.approx([2.0] * 4)  # of the public code: r = σ(2)
    assert theta["b_z"].tolist() == pytest.approx([np.log(0.3 / 0.7)] * 4)
    for name in ("W_r", "U_r", "W_z", "U_z"):
        assert not theta[name].any()
    assert theta["m_h"].tolist() == pytest.approx([0.01] * 4)
