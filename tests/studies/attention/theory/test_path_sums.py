"""Lemmas 9 to 12, Proposition 3, and the proof of Proposition 4."""

from fractions import Fraction
from math import factorial, log

import numpy as np
import pytest

from studies.attention.theory import sums, uniform


@pytest.fixture(scope="module")
def exact():
    return sums.exact_table().set_index("statement")


@pytest.fixture(scope="module")
def gaps():
    return sums.gap_table(t=2).set_index(["degree", "lag"])


@pytest.mark.parametrize("statement", ["Lemma 9", "Proposition 3, ordered tuples", "Lemma 10", "Lemma 11"])
def test_what_holds_in_every_case(exact, statement):
    assert exact.loc[statement, "cases"] == 105 and exact.loc[statement, "fail"] == 0


def test_proposition_3_as_printed_fails_from_degree_5_on(exact):
    assert exact.loc["Proposition 3 as printed", "first_failure"] == 5
    deltas = [Fraction(), Fraction(), *map(Fraction, (2, 3, 5, 7))]
    assert sums.psi(deltas, is_ordered=False)[5] == 7 + 2 * 3
    assert sums.psi(deltas)[5] == 7 + 2 * (2 * 3)
    assert sums.psi(deltas, is_ordered=False)[:5] == sums.psi(deltas)[:5]


@pytest.mark.parametrize("equation", sums.PRINTED_FOURTH)
def test_the_fourth_coefficient_is_printed_wrong_twice(exact, equation):
    row = exact.loc[f"Lemma 9 with δ₄₀ of {equation}"]
    assert row["fail"] == row["cases"] == 15
    S = [sums.power_sum(3, 6, power) for power in range(5)]
    assert sums.delta(3, 6, 4) == [0, 0, -S[2] / 2, S[3] / 3, -(2 * S[4] + S[2] ** 2) / 8]


def test_recurrences_at_large_lags_are_the_enumerations():
    t, lags, degree = 2, [3, 5, 7], 3
    chis, omegas = sums.chis(t, lags, degree), sums.omegas(t, [1], lags, degree)[0]
    for place, k in enumerate(lags):
        for s in range(degree + 1):
            assert chis[place, s] == pytest.approx(float(sums.chi(t, k, s)), rel=1e-13)
            assert omegas[place, s] == pytest.approx(float(sums.omega(t, 1, k, s)), rel=1e-13)


def test_the_recurrences_of_the_appendix_hold():
    for t, k, s in ((1, 5, 3), (3, 6, 2), (2, 4, 4)):
        by_theta = sum(sums.theta(t, k - i, s - i) / (t + k - i) for i in range(s + 1)) + (k == s)
        assert by_theta == sums.chi(t, k, s)  # Eqs. 129-130
        last = sum(sums.theta(t, j, s - 1) / (t + j) for j in range(s - 1, k))
        assert sums.theta(t, k - 1, s - 1) + last == sums.theta(t, k, s)  # Eq. 188


def test_the_bounds_of_lemma_10_do_not_meet(gaps):
    assert gaps.loc[(2, 100_000), "bounds"] == pytest.approx(2 / 2, rel=1e-3)  # 2/t, where Remark 15 has 0
    third = gaps.loc[3, "bounds"].to_numpy()
    np.testing.assert_allclose(np.diff(third)[1:] / log(10), 3 / 2, rtol=0.05)  # (3/t) ln T
    assert (np.diff(gaps.loc[4, "bounds"].to_numpy(), 2)[1:] > 5).all()


def test_lemma_12_holds_at_degree_2_alone(gaps):
    rest = {s: gaps.loc[s, "rest"].to_numpy() for s in range(5)}
    assert (np.abs(rest[0]) < 1e-12).all()
    np.testing.assert_allclose(rest[1], 1 / (np.array(sums.LARGE_LAGS) + 1), rtol=1e-6)
    assert rest[2][-1] == pytest.approx(1, rel=1e-3)
    np.testing.assert_allclose(np.diff(rest[3])[1:] / log(10), 3 / 2, rtol=0.05)
    assert (np.diff(rest[4], 2)[1:] > 5).all()


def test_a_polynomial_in_the_logarithm_is_no_power():
    T, s = 1e12, 5
    assert sum(log(T) ** q / factorial(q) for q in range(s + 1)) / T < 1e-6  # 1 by Eqs. 244-245


def test_the_coefficient_that_proposition_4_takes_for_a_constant_is_none():
    table = sums.coefficient_table([-0.5, 0.4])
    np.testing.assert_allclose(table["coefficient"], table["closed_form"], rtol=1e-12)
    for eigenvalue, rows in table.groupby("eigenvalue"):
        ratios = rows["coefficient"].to_numpy()[1:] / rows["coefficient"].to_numpy()[:-1]
        np.testing.assert_allclose(ratios, 1 / (1 - eigenvalue), rtol=1e-12)


def test_with_the_factor_kept_the_proof_gives_the_right_power():
    T, t = 1e5, 1000
    for eigenvalue in (-0.5, 0.4):
        terms = [(eigenvalue * log(T / t)) ** q / factorial(q) * (1 - eigenvalue) ** -(q + 2) for q in range(60)]
        limit = uniform.recursion(np.array([eigenvalue + 0j]), t, [int(T) - t])[0, 0].real * T
        assert sum(terms) == pytest.approx(limit, rel=2e-3)


def test_no_fixed_degree_of_the_matrix_will_do():
    table = sums.truncation_table().set_index(["eigenvalue", "degree", "lag"])["truncated"]
    values = uniform.recursion(np.array([-0.5 + 0j, 0.4 + 0j]), 2, sums.LARGE_LAGS).real
    for place, eigenvalue in enumerate((-0.5, 0.4)):
        whole = (2 + np.array(sums.LARGE_LAGS)) * values[:, place]
        np.testing.assert_allclose(table.loc[eigenvalue, 120], whole, rtol=1e-7)
    assert 0.5**20 < 1e-6 and table.loc[-0.5, 20].iloc[-1] > 1e5 * table.loc[-0.5, 120].iloc[-1]
