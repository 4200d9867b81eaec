"""Appendix A."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

from drawn import generator
from learnability.cells import GATED
from studies.learnability_window.theory import expansion
from studies.learnability_window.theory.random_networks import normal


def test_the_derivative_of_a_product_is_that_of_autograd():
    A, B = normal(generator(), 5, 4, 4), normal(generator(1), 5, 4, 4)
    zeroth, first = expansion.first_order(A, B)
    by_autograd = torch.func.jacfwd(lambda e: expansion.product(A + e * B))(torch.zeros((), dtype=torch.float64))
    torch.testing.assert_close(first, by_autograd, rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(zeroth, A[4] @ A[3] @ A[2] @ A[1] @ A[0], rtol=1e-12, atol=1e-12)


def test_the_order_of_the_expansion_is_two_for_every_cell():
    orders = expansion.error_by_order(expansion.random_splits(generator()), expansion.EPSILONS.tolist())
    assert set(orders["cell"]) == {kind.__name__ for kind in GATED.values()}
    np.testing.assert_allclose(orders["order"], 2, atol=0.02)


def test_the_order_sees_a_wrong_derivative():
    splits = expansion.random_splits(generator())
    retention, mixing = splits["DiagGate"]
    reversed_order = expansion.first_order(retention.flip(0), mixing.flip(0))[1]
    errors = [
        float((expansion.product(retention + e * mixing) - expansion.product(retention) - e * reversed_order).norm())
        for e in (1e-4, 1e-3)
    ]
    assert np.log10(errors[1] / errors[0]) == pytest.approx(1, abs=0.1)


def test_eq_50_has_the_factors_in_the_other_order():
    A, B = normal(generator(), 3, 4, 4), normal(generator(1), 3, 4, 4)
    ascending = sum(  # earlier factors to the left
        torch.linalg.multi_dot([torch.eye(4).double(), *A[:i], B[i], *A[i + 1 :], torch.eye(4).double()])
        for i in range(3)
    )
    _, first = expansion.first_order(A, B)
    _, first_of_ascending = expansion.first_order(A.flip(0), B.flip(0))
    torch.testing.assert_close(ascending, first_of_ascending, rtol=1e-12, atol=1e-12)
    assert (ascending - first).norm() > 0.1 * first.norm()


def test_at_epsilon_one_first_order_misses_most_of_the_product():
    lags = expansion.error_by_lag(expansion.random_splits(generator()))
    assert (lags.loc[lags["lag"] == 1, "error"] < 1e-14).all()
    assert (lags.loc[lags["lag"] >= 16, "error"] > 0.85).all()


def test_stored_errors_of_first_order_are_as_the_errata_say():
    theory = Path(__file__).parents[4] / "results" / "reference" / "learnability_window" / "theory"
    lags = pd.read_csv(theory / "appendix_a.lags.csv")
    assert lags.loc[lags["lag"] >= 16, "error"].min() == pytest.approx(0.946, abs=0.001)
