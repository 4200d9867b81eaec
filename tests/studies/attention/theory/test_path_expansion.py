"""Propositions 1 and 2, Lemmas 1 to 6, Corollary 1."""

import pytest
import torch

from drawn import generator
from studies.attention.theory import paths
from studies.attention.theory.mem_rnn import MIXES, MemRNN, derivative, linear, random_weights

T, K = 2, 4


def network(mix=MIXES["sum"], activation=torch.tanh, **changed):
    weights = random_weights(generator(), 3)
    inputs = torch.from_numpy(generator(1).standard_normal((T + K, 2)))
    net = MemRNN(weights._replace(**changed), mix, activation)
    return net, inputs, net.run(inputs)


@pytest.mark.parametrize("name", paths.NETWORKS)
def test_the_derivative_is_the_sum_over_paths(name):
    table = paths.path_table(name, generator())
    errors = table[["by_paths", "by_recursion", "by_closed_form"]].div(table["total"], axis=0)
    assert (errors < 1e-12).all(axis=None)
    assert table["lag"].max() == 8 and (table.groupby("lag")["paths"].sum() == 2.0 ** table["lag"].unique()).all()


def test_corollary_1_holds_for_any_mix_of_state_and_context():
    A, B = (torch.from_numpy(generator(seed).standard_normal((3, 3))) for seed in (2, 3))
    mixture = network(lambda h, c: torch.tanh(A @ h + B @ c) + h * c)
    for by_hand, by_tape in zip(paths.closed_form(*mixture, T, K), paths.differentiate(*mixture, T, K), strict=True):
        torch.testing.assert_close(by_hand, by_tape, rtol=1e-12, atol=1e-12)


def test_without_a_score_attention_is_uniform():
    net, inputs, at = network(v_a=torch.zeros(3).double())
    torch.testing.assert_close(at.attention[5], torch.full((5,), 0.2).double())
    h = torch.stack(at.hidden[1:6])
    torch.testing.assert_close(at.states[5], h[4] + h.mean(0))
    before = net.weights.V @ at.states[4] + net.weights.U @ inputs[4] + net.weights.b
    torch.testing.assert_close(at.hidden[5], before.tanh())


def test_lemma_3_holds_from_any_start():
    net, inputs, at = network()
    factors = paths.differentiate(net, inputs, at, T, K)
    start = torch.from_numpy(generator(4).standard_normal((3, 3)))
    elsewhere = paths.recursion(factors._replace(E=torch.cat([start[None], factors.E[1:]])))
    for k in range(1, K + 1):
        torch.testing.assert_close(paths.solution(factors, start, k), elsewhere[k], rtol=1e-12, atol=1e-12)


def test_lemma_4_is_lemma_3_from_the_first_factor():
    factors = paths.differentiate(*network(), T, K)
    by_depth = sum(paths.path_sum(factors, K, s) for s in range(K + 1))
    torch.testing.assert_close(paths.solution(factors, factors.E[0], K), by_depth, rtol=1e-12, atol=1e-12)


def test_the_jacobian_that_lemma_2_prints_is_another():
    net, inputs, at = network()
    weights = net.weights
    on_tape = net._replace(weights=weights._replace(V=weights.V.clone().requires_grad_()))
    at = on_tape.run(inputs)
    truth = derivative(at.states[T + 1], at.hidden[T])
    factors = paths.differentiate(net, inputs, at, T, 1)
    torch.testing.assert_close(paths.recursion(factors)[1], truth, rtol=1e-12, atol=1e-12)
    hidden, states = torch.stack(at.hidden).detach(), torch.stack(at.states).detach()
    by_hidden, by_state = torch.func.jacrev(net.state, (0, 1))(hidden[1 : T + 2], states[T])
    transposed_order = by_hidden[:, T - 1]  # ∂s_{t+1}/∂h_t in the place of dh_{t+1}/ds_t
    wrong = factors.E[1] + (by_hidden[:, T] @ transposed_order + by_state) @ factors.E[0]
    assert (wrong - truth).norm() > 0.1 * truth.norm()


def test_a_path_may_cross_no_recurrence_at_all():
    zero = torch.zeros(3, 3).double()
    without = paths.differentiate(*network(V=zero), T, K)
    assert paths.path_sum(without, 1, 1).norm() > 1e-3  # attention that depends on s
    uniform = paths.differentiate(*network(V=zero, v_a=torch.zeros(3).double()), T, K)
    assert paths.path_sum(uniform, 1, 1).norm() == 0
    assert paths.path_sum(uniform, 1, 0).norm() > 0


def test_under_uniform_attention_the_factors_are_those_of_remark_8():
    net, inputs, at = network(activation=linear, v_a=torch.zeros(3).double())
    E, F = paths.closed_form(net, inputs, at, T, K)
    identity = torch.eye(3).double()
    for k in range(K):
        torch.testing.assert_close(E[k], (1 / (T + k) + (k == 0)) * identity)
        for j in range(k + 1):
            torch.testing.assert_close(F[k + 1, j], (1 / (T + k + 1) + (k == j)) * net.weights.V)
