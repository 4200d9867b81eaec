"""Proposition 4 and Theorem 1."""

import numpy as np
import pytest
import torch
from scipy.special import binom

from drawn import generator
from learnability.core.errors import InputError
from studies.attention.theory import uniform
from studies.attention.theory.exponents import WITHOUT_ZERO
from studies.attention.theory.mem_rnn import MemRNN, derivative, linear, random_weights


@pytest.fixture(scope="module")
def exponents():
    return uniform.exponent_table()


@pytest.fixture(scope="module")
def spectra():
    return uniform.spectrum_table(generator()).set_index(["mix", "spectrum"])


def of_real(values):
    return np.array(values, dtype=np.complex128)


def test_the_recursion_is_the_derivative_of_a_network():
    weights = random_weights(generator(), 3)
    inputs = torch.from_numpy(generator(1).standard_normal((20, 2)))
    V = weights.V.requires_grad_()
    at = MemRNN(weights._replace(V=V, v_a=torch.zeros(3).double()), activation=linear).run(inputs)
    by_tape = derivative(at.states[20], at.hidden[3]).numpy()
    by_recursion = uniform.matrix_recursion(V.detach().numpy()[None], 3, [17])[0, 0]
    np.testing.assert_allclose(by_recursion, by_tape, rtol=1e-11, atol=1e-13)


def test_at_the_first_step_the_generating_function_is_known():
    eigenvalue, n = 0.3 + 0.6j, np.arange(12)
    a = eigenvalue / (1 - eigenvalue)
    pole, root = binom_series(-a, -1, n), binom_series(a - 1, -eigenvalue, n)
    series = np.convolve(pole, root)[: len(n)] / eigenvalue
    coefficients = uniform.recursion(of_real([eigenvalue]), 1, n[:-1].tolist())[:, 0]
    np.testing.assert_allclose(coefficients, series[1:], rtol=1e-12)


def binom_series(power, factor, n):
    """Coefficients of (1 + factor z)^power."""
    terms = [1.0 + 0j]
    for place in n[1:]:
        terms.append(terms[-1] * factor * (power - place + 1) / place)
    return np.array(terms)


def test_the_series_of_the_generating_function_is_the_binomial_one():
    np.testing.assert_allclose(binom_series(0.5, 1.0, np.arange(6)).real, binom(0.5, np.arange(6)), rtol=1e-12)


def test_exponents_are_those_of_the_formula(exponents):
    assert len(exponents) == 128
    tolerance = 2e-5 + np.abs(exponents["drift"]) / 5
    assert (exponents["error"].abs() < tolerance).all()
    assert exponents["error"].abs().quantile(0.95) < 1e-4


def test_amplitudes_are_those_of_the_closed_form(exponents):
    inside = exponents.dropna(subset="amplitude")
    assert len(inside) == 125
    usual = inside[inside["predicted"] < 2.5]
    np.testing.assert_allclose(usual["amplitude"], 1, atol=1e-4)
    np.testing.assert_allclose(inside["amplitude"], 1, atol=5e-3)


@pytest.mark.parametrize(
    ("t", "radius"), [(t, radius) for radius, last in WITHOUT_ZERO.items() for t in range(1, last + 1)]
)
def test_no_amplitude_vanishes(t, radius):
    points = 4000 if radius <= 0.9 else 8000
    circle = radius * np.exp(1j * np.pi * np.linspace(-1, 1, points + 1) ** 3)  # dense where A_t turns fast
    steps = np.angle(np.exp(1j * np.diff(np.angle(uniform.amplitude(circle, t)))))
    assert np.abs(steps).max() < 1  # fine enough to count turns
    assert steps.sum() / (2 * np.pi) == pytest.approx(0, abs=1e-9)  # as many as it has zeros inside


def test_known_exponents():
    powers = uniform.exponent(of_real([0.9, 0.7, 0.5, 0, -0.5, -0.9, 0.3 + 0.6j]))
    np.testing.assert_allclose(powers, [8, 4 / 3, 0, -1, -4 / 3, -28 / 19, -20 / 17], rtol=1e-12)
    np.testing.assert_allclose(uniform.exponent(of_real([-1, 0, 1]), "mean"), [-4 / 3, -1, 0], rtol=1e-12, atol=1e-12)


def test_theorem_1_holds_in_one_disc_and_gradients_grow_in_another(exponents):
    eigenvalues = exponents["real"] + 1j * exponents["imaginary"]
    interior = (exponents["mix"] == "sum") & (np.abs(eigenvalues) < 1 - 1e-9)
    by_sum, mean = eigenvalues[interior], exponents["mix"] == "mean"
    np.testing.assert_array_equal(exponents["holds"][interior], np.abs(by_sum - 0.5) <= 0.5 + 1e-12)
    np.testing.assert_array_equal(exponents["grows"][interior], np.abs(by_sum - 0.75) < 0.25 - 1e-12)
    np.testing.assert_array_equal(exponents["holds"][mean], np.abs(eigenvalues[mean] - 1) <= 1)
    assert not exponents["grows"][mean].any()
    assert exponents["holds"].sum() and (~exponents["holds"]).sum() and exponents["grows"].sum()


def test_theorem_1_holds_everywhere_with_three_halves():
    radii, angles = np.meshgrid(1 - np.geomspace(1e-9, 1, 200), np.linspace(-np.pi, np.pi, 721))
    disc = radii * np.exp(1j * angles)
    above = (1 - np.abs(disc) ** 2) / (2 * np.abs(1 - disc) ** 2)  # Re 1/(1-λ) - 1/2, in closed form
    powers = uniform.exponent(disc)
    assert (above > 0).all() and (powers > -1.5).all()
    np.testing.assert_allclose(powers + 1.5, above, rtol=1e-6, atol=1e-9)
    assert powers.min() == pytest.approx(-1.5, abs=1e-8)  # and no larger power will do


def test_gradients_never_fall_faster_than_three_halves():
    circles = [radius * np.exp(1j * np.linspace(0, np.pi, 37)) for radius in (0.3, 0.7, 0.95, 0.99)]
    disc = np.concatenate(circles)
    lags = np.array([5_000, 50_000])
    size = np.abs(uniform.recursion(disc, 2, lags.tolist()))
    # what falls as T^-1.5 or faster would not rise; at λ = -0.99 the power is -1.4975
    assert (np.diff(size * (2 + lags[:, None]) ** 1.5, axis=0) > 0).all()
    assert (np.diff(size[:, disc.real < -0.5] * (2 + lags[:, None]) ** 1.2, axis=0) < 0).all()


def test_normal_matrices_never_fall_faster_than_three_halves(spectra):
    assert (spectra["fitted"] > -1.5).all() and (spectra["fitted_least"] > -1.5).all()
    assert spectra["fitted_least"].min() < -1.4


def test_theorem_1_fails_for_normal_matrices(spectra):
    fails = spectra.loc["sum"].query("not holds")
    assert set(fails.index) == {"negative", "skew-symmetric", "rotations by 45°"}
    assert (fails["fitted"] < -1.15).all() and (fails["by_paper"] >= -1).all()
    assert set(spectra.loc["mean"].query("not holds").index) == {"negative", "skew-symmetric"}


def test_one_eigenvalue_in_the_disc_is_enough(spectra):
    row = spectra.loc[("sum", "one of four in the disc")]
    assert row["fitted"] == pytest.approx(row["predicted"], abs=1e-3) and row["predicted"] > -1
    assert spectra.loc[("sum", "grows"), "fitted"] == pytest.approx(4 / 3, abs=5e-3)
    assert spectra.loc[("sum", "on the circle"), "fitted"] == pytest.approx(-1, abs=2e-3)


def test_slopes_of_matrices_are_those_of_their_eigenvalues(spectra):
    np.testing.assert_allclose(spectra["fitted"], spectra["predicted"], atol=0.03)
    np.testing.assert_allclose(spectra["fitted_least"], spectra["predicted_least"], atol=0.01)


def test_a_bound_of_the_norm_is_none_of_the_gradient_of_a_loss(spectra):
    row = spectra.loc[("sum", "one of four in the disc")]
    assert row["fitted"] > -0.6 and row["fitted_least"] < -1.4


def test_proposition_4_has_another_power_and_a_term_too_many():
    lags = [10_000, 100_000]
    sizes = np.abs(uniform.recursion(of_real([-0.5, 0.4]), 2, lags))
    slope = np.log(sizes[1] / sizes[0]) / np.log(100_002 / 10_002)
    np.testing.assert_allclose(slope, [-4 / 3, -1 / 3], atol=1e-4)  # -1 and -0.6 by Eq. 248
    assert (100_002 * sizes[1, 0]) < 0.5 * (10_002 * sizes[0, 0])


def test_orthogonal_matrices_make_the_gradient_grow_as_a_root():
    circle = np.exp(1j * np.array([0.5, 1.0, 2.0, 3.0]))
    sizes = np.abs(uniform.recursion(circle, 2, [5_000, 50_000]))
    np.testing.assert_allclose(np.log10(sizes[1] / sizes[0]), 0.5, atol=0.005)
    np.testing.assert_allclose(uniform.exponent(circle), 0.5)


def test_the_identity_makes_it_grow_faster_than_any_power():
    n = np.array([400, 1600, 6400])
    size = np.log(uniform.recursion(of_real([1]), 1, (n - 1).tolist())[:, 0].real)
    law = 2 * np.sqrt(n) - 0.25 * np.log(n)
    np.testing.assert_allclose(np.diff(size), np.diff(law), rtol=0.01)
    with pytest.raises(InputError, match="'eigenvalues' must be unequal to 1"):
        uniform.exponent(of_real([1]))
    with pytest.raises(InputError, match="'eigenvalues' must be in the unit disc"):
        uniform.exponent(of_real([1.2]))


def test_a_matrix_that_is_not_normal_has_a_logarithm_more():
    V, lags = np.array([[[-0.5, 1.0], [0.0, -0.5]]]), [1000, 10_000, 100_000]
    products = uniform.matrix_recursion(V, 2, lags)[:, 0]
    ratio = np.abs(products[:, 0, 1] / products[:, 0, 0])  # p'(λ)/p(λ) ~ ln T/(1-λ)²
    np.testing.assert_allclose(np.diff(ratio) / np.log(10), 1 / 1.5**2, rtol=0.01)
    assert 100_002 * np.linalg.norm(products[2]) < 0.7 * 10_002 * np.linalg.norm(products[1])


def test_where_t_grows_with_the_length_the_theorem_is_right():
    table = uniform.relative_table()
    usual = table[table["real"] < 0.8]
    np.testing.assert_allclose(usual["measured"], usual["predicted"], rtol=0.015)
    assert (table["measured"] > 0.05).all()


def test_networks_with_uniform_attention_follow_the_recursion():
    table = uniform.network_table(generator(), lengths=(16, 32, 64), networks=2)
    even = table[table["gain"] == 0]
    assert (even["difference"] < 1e-11).all() and (even["fitted"] - even["by_recursion"]).abs().max() < 1e-11
    assert (table.loc[table["gain"] > 0, "difference"] > 0.01).all()


def test_a_normal_matrix_has_the_spectrum_asked_for():
    for spectrum in uniform.SPECTRA.values():
        V = uniform.normal_matrix(spectrum, generator())
        np.testing.assert_allclose(V @ V.T, V.T @ V, atol=1e-14)
        values, expected = np.linalg.eigvals(V), np.array(spectrum, dtype=np.complex128)
        np.testing.assert_allclose(np.sort_complex(values.round(10)), np.sort_complex(expected.round(10)), atol=1e-9)
