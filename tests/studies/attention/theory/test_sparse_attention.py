"""Theorem 2."""

import numpy as np
import pytest
import torch

from drawn import generator
from studies.attention.theory import sparse, uniform


@pytest.fixture(scope="module")
def chains():
    return sparse.chain_table()


@pytest.fixture(scope="module")
def lengths():
    return sparse.length_table(generator()).set_index(["attention", "eigenvalue", "length"]).sort_index()


def test_transport_is_the_derivative_of_a_linear_network():
    attention, t = sparse.chain("held", 2, 2, 4)
    V = uniform.normal_matrix([0.3, -0.6, 0.5j, -0.5j], generator())
    matrix, weights = torch.from_numpy(V), torch.from_numpy(attention)
    hidden = [torch.zeros(4).double(), torch.from_numpy(generator(1).standard_normal(4)).requires_grad_()]
    for n in range(1, len(attention)):
        state = hidden[n] + weights[n, : n + 1] @ torch.stack(hidden)
        hidden.append(matrix @ state)
    by_tape = torch.stack([torch.autograd.grad(entry, hidden[t], retain_graph=True)[0] for entry in state]).numpy()
    values, basis = np.linalg.eig(V.astype(np.complex128))
    by_eigenvalue = basis @ np.diag(sparse.transport(attention, t, values)[-1]) @ np.linalg.inv(basis)
    np.testing.assert_allclose(by_eigenvalue, by_tape, atol=1e-13)


def test_attention_is_sparse_and_uniform():
    for layout in sparse.LAYOUTS:
        attention, t = sparse.chain(layout, 4, 2, 6)
        assert t == 5 and len(attention) - 1 == 5 + 3 * 6 - 1
        np.testing.assert_allclose(attention[1:].sum(1), 1)
        assert ((attention[t:] == 0) | (attention[t:] == 0.25)).all()
        assert np.triu(attention, 1).sum() == 0
    uses = (sparse.chain("visited", 4, 2, 6)[0][:, [5, 11, 17]] > 0).sum(0)
    assert uses.tolist() == [1, 1, 1]


def test_chains_have_the_size_foretold(chains):
    np.testing.assert_allclose(chains["size"], chains["expected"], rtol=1e-6)


def test_the_eigenvalue_belongs_into_the_bound(chains):
    rows = chains[chains["layout"] == "visited"]
    np.testing.assert_allclose(rows["size"], rows["bound"], rtol=1e-6)
    shares = rows["size"] / rows["printed"]
    expected = np.hypot(rows["real"], rows["imaginary"]) ** rows["depth"] / rows["sparsity"]
    np.testing.assert_allclose(shares, expected, rtol=1e-6)
    assert shares.min() < 2e-3


def test_laws_in_depth_and_sparsity(chains):
    laws = sparse.law_table(chains).set_index(["layout", "by"])
    depth = laws.loc[("visited", "depth")]
    np.testing.assert_allclose(depth["measured"], np.hypot(depth["real"], depth["imaginary"]) * depth["printed"], 1e-6)
    for layout in sparse.LAYOUTS:
        sparsity = laws.loc[(layout, "sparsity")]
        np.testing.assert_allclose(sparsity["measured"], sparsity["printed"] - 1, atol=1e-5)
    exponents = laws.loc[("held", "depth")]
    assert exponents["measured"].max() == pytest.approx(4, rel=1e-6)  # λ/(1-λ) at λ = 0.8, κ = 1: it grows with d


def test_for_positive_eigenvalues_the_corrected_bound_holds(chains):
    positive = chains[(chains["imaginary"] == 0) & (chains["real"] > 0)]
    assert (positive["size"] >= positive["bound"] * (1 - 1e-6)).all()
    negative = chains[(chains["layout"] == "held") & (chains["real"] == -0.6)]
    assert (negative["size"] < negative["bound"]).all()  # not for others


def test_theorem_2_holds_as_t_grows_for_a_fixed_chain(lengths):
    for eigenvalue in (0.4, -0.4):
        last = lengths.loc[("held, κ = 3", eigenvalue), "size"].iloc[-3:]
        np.testing.assert_allclose(last, 1 / (3 * (1 - eigenvalue)), rtol=1e-9)


def test_without_a_positive_eigenvalue_paths_cancel():
    for length in (50, 200):
        attention, t = sparse.cancelling_attention(length)
        assert ((attention > 0).sum(1) <= 2).all() and (attention[t + 2 :, t] == 0.5).all()
        gradients = sparse.transport(attention, t, np.array([-2 / 3 + 0j, 2 / 3 + 0j]))
        assert abs(gradients[-1, 0]) == pytest.approx(1.5 * (2 / 3) ** (length - t), rel=1e-6)
        assert gradients[-1, 1].real == pytest.approx(3, rel=1e-6)


def test_a_state_that_nothing_attends_to_still_counts():
    attention, t = sparse.chain("visited", 1, 0, 9)
    attention[-1] = attention[t]  # the link is cut
    assert attention[:, t].sum() == 0
    gradients = sparse.transport(attention, t, np.array([0.6 + 0j]))[t:, 0].real
    np.testing.assert_allclose(gradients, 0.6 ** np.arange(len(gradients)), rtol=1e-12)


def test_attention_to_random_states_is_uniform_on_average(lengths):
    for eigenvalue in (0.4, -0.4):
        sample, whole = (lengths.loc[(name, eigenvalue)] for name in ("random, κ = 3", "uniform"))
        assert ((sample["mean"] - whole["mean"]).abs() < 4 * sample["standard_error"]).all()
    rms = lengths.loc[("random, κ = 3", -0.4), "size"]
    assert np.log(rms[512] / rms[32]) / np.log(16) == pytest.approx(-0.45, abs=0.1)  # no constant, as T grows
