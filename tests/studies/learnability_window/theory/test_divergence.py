"""Appendix D."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate

from learnability.core.errors import InputError
from learnability.stats.stable import location_information, log_densities
from studies.learnability_window.theory import divergence


@pytest.mark.parametrize(("alpha", "h"), [(1.0, 0.5), (1.0, 7.0), (1.0, 60.0)])
def test_kl_of_cauchy_laws_is_known(alpha, h):
    assert divergence.kl_divergence(h, alpha) == pytest.approx(np.log(1 + h**2 / 4), rel=1e-7)


@pytest.mark.parametrize("h", [0.1, 3.0, 40.0])
def test_kl_of_normal_laws_is_known(h):
    assert divergence.kl_divergence(h, 2.0) == pytest.approx(h**2 / 4, rel=1e-10)


@pytest.mark.parametrize(("alpha", "h"), [(1.2, 1.0), (1.5, 10.0), (1.9, 4.0)])
def test_kl_by_adaptive_quadrature(alpha, h):
    def integrand(x):
        log_p, log_q = log_densities(np.array([x, x - h]), alpha)
        return np.exp(log_p) * (log_p - log_q)

    pieces = [-np.inf, -30, 0, h / 2, h, 30 + h, np.inf]
    slow = sum(integrate.quad(integrand, a, b, limit=200)[0] for a, b in pairwise(pieces))
    assert divergence.kl_divergence(h, alpha) == pytest.approx(slow, rel=1e-6)


@pytest.mark.parametrize(
    ("alpha", "h", "ratio"),
    [(1.1, 1, 0.920), (1.1, 5, 0.365), (1.1, 10, 0.152), (1.5, 1, 0.966), (1.5, 5, 0.519), (1.5, 10, 0.221)],
)
def test_the_lower_bound_of_the_divergence_fails(alpha, h, ratio):
    bound = location_information(alpha) / 2 * h**2
    assert divergence.kl_divergence(h, alpha) / bound == pytest.approx(ratio, abs=5e-4)


def test_the_divergence_is_below_the_bound_at_every_separation():
    table = divergence.divergence_table([1.1, 1.5, 1.9], [0.2, 0.5, 1, 3, 10, 100])
    assert (table["ratio"] < 1).all()
    assert (divergence.divergence_table([1.1, 1.5, 1.9], [0.02])["ratio"] > 0.9999).all()


@pytest.mark.parametrize("alpha", [1.1, 1.5, 1.9])
def test_the_divergence_grows_as_a_logarithm(alpha):
    growth = divergence.kl_divergence(1e4, alpha) - divergence.kl_divergence(1e3, alpha)
    assert growth == pytest.approx((1 + alpha) * np.log(10), rel=1e-3)


def test_the_divergence_at_a_fixed_separation_is_the_same_at_every_n():
    alpha, h, u = 1.5, 5.0, np.linspace(-14, 14, 40_001)
    for size in (10, 100_000):
        s = size ** (1 / alpha - 1)
        y = s * np.sinh(u)
        log_p, log_q = log_densities(y / s, alpha) - np.log(s), log_densities((y - s * h) / s, alpha) - np.log(s)
        divergence_of_means = integrate.simpson(np.exp(log_p) * (log_p - log_q) * s * np.cosh(u), x=u)
        assert divergence_of_means == pytest.approx(2.7786, abs=1e-4)
        assert location_information(alpha) / 2 * h**2 == pytest.approx(5.351, abs=1e-3)  # Eq. 61


def test_separations_must_be_positive():
    with pytest.raises(InputError, match="'h' must be positive"):
        divergence.kl_divergence(0.0, 1.5)
