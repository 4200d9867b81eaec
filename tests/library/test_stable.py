import mpmath as mp
import numpy as np
import pytest
from scipy import integrate, stats
from scipy.special import gamma

from learnability.core.errors import InputError
from learnability.stats.stable import (
    cumulative,
    cumulatives,
    density,
    fit_stable,
    location_information,
    location_informations,
    log_densities,
    quantile,
    quantiles,
)
from learnability.stats.stable.draws import draw
from learnability.stats.stable.law import LARGEST_X, _information_interpolant, density_slope
from learnability.stats.stable.mcculloch import LEVELS, fit_quantiles, interquartile_range

X = np.linspace(-12, 12, 25)
ALPHAS = [0.8, 1.0, 1.1, 1.5, 1.9, 2.0]
INFORMATION = {
    1.0: 0.5,
    1.1: 0.463029,
    1.2: 0.441941,
    1.3: 0.430970,
    1.4: 0.426955,
    1.5: 0.428097,
    1.6: 0.433396,
    1.7: 0.442404,
    1.8: 0.455202,
    1.9: 0.472723,
    2.0: 0.5,
}


def samples(alpha, shape, seed):
    return draw(alpha, shape, np.random.default_rng(seed))


def grid_of(law, count=20_000):
    """The law's quantiles at evenly spaced levels: a sample without chance."""
    return law.ppf((np.arange(count) + 0.5) / count)


@pytest.mark.parametrize(("alpha", "law"), [(1.0, stats.cauchy), (2.0, stats.norm(scale=np.sqrt(2)))])
def test_the_law_is_cauchy_at_one_and_normal_with_variance_two_at_two(alpha, law):
    x = np.linspace(-LARGEST_X, LARGEST_X, 101)
    np.testing.assert_allclose(cumulative(x, alpha), law.cdf(x), rtol=0, atol=1e-12)
    np.testing.assert_allclose(density(x, alpha), law.pdf(x), rtol=0, atol=1e-12)
    for level in (0.05, 0.25, 0.5, 0.9):
        assert quantile(level, alpha) == pytest.approx(law.ppf(level), abs=1e-10)


@pytest.mark.parametrize("alpha", [1.1, 1.5, 1.9])
def test_the_law_agrees_with_another_implementation(alpha):
    x = np.array([-20.0, -2.0, -0.3, 0.0, 0.7, 3.0, LARGEST_X])
    np.testing.assert_allclose(cumulative(x, alpha), stats.levy_stable.cdf(x, alpha, 0), rtol=0, atol=1e-8)
    np.testing.assert_allclose(density(x, alpha), stats.levy_stable.pdf(x, alpha, 0), rtol=0, atol=1e-8)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_density_and_slope_are_derivatives(alpha):
    # Five-point differences.
    step, weights = 1e-2, np.array([1, -8, 0, 8, -1]) / (12 * 1e-2)
    around = X[:, None] + step * np.arange(-2, 3)
    np.testing.assert_allclose(cumulative(around, alpha) @ weights, density(X, alpha), rtol=0, atol=1e-7)
    np.testing.assert_allclose(density(around, alpha) @ weights, density_slope(X, alpha), rtol=0, atol=1e-7)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_density_integrates_to_the_cumulative(alpha):
    x = np.linspace(-LARGEST_X, LARGEST_X, 1001)
    total = integrate.simpson(density(x, alpha), x=x)
    assert total == pytest.approx(np.diff(cumulative(x[[0, -1]], alpha)).item(), abs=1e-8)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_law_is_symmetric_and_falls_from_its_mode(alpha):
    np.testing.assert_allclose(cumulative(-X, alpha), 1 - cumulative(X, alpha), rtol=0, atol=1e-13)
    np.testing.assert_allclose(density(-X, alpha), density(X, alpha), rtol=0, atol=1e-13)
    assert (density_slope(np.linspace(0.1, 8, 40), alpha) < 0).all()


@pytest.mark.parametrize("alpha", [1.0, 1.1, 1.5, 1.9])
def test_the_tail_follows_its_asymptotic_series(alpha):
    # Bergström (1952): p(x) ~ (1/π) Σ_k (-1)^{k+1} Γ(kα+1)/k! sin(kπα/2) x^{-kα-1}, a power law to leading order.
    k, x = np.arange(1, 8), np.array([0.8, 1.0]) * LARGEST_X
    terms = (-1.0) ** (k + 1) * gamma(k * alpha + 1) / gamma(k + 1) * np.sin(k * np.pi * alpha / 2)
    expected = (terms * x[:, None] ** (-k * alpha - 1)).sum(1) / np.pi
    np.testing.assert_allclose(density(x, alpha), expected, rtol=1e-6)


@pytest.mark.parametrize("alpha", [0.8, 0.8071, 0.9, 1.0, 1.234, 1.5, 1.893, 1.99, 2.0])
def test_many_cumulatives_at_once(alpha):
    x = np.linspace(-LARGEST_X, LARGEST_X, 401)
    np.testing.assert_allclose(cumulatives(x, np.array(alpha)), cumulative(x, alpha), rtol=0, atol=1e-8)


def test_cumulatives_beyond_the_quadrature():
    far = np.array([30.01, 50.0, 1e3, 1e8, 1e300])
    np.testing.assert_allclose(cumulatives(far, np.array(1.0)), stats.cauchy.cdf(far), rtol=0, atol=1e-13)
    np.testing.assert_allclose(1 - cumulatives(far, np.array(2.0)), 0, atol=1e-15)
    alphas = np.linspace(0.8, 2, 49)[:, None]
    x = np.concatenate([-far[::-1], np.linspace(-30, 30, 801), far])
    table = cumulatives(x, alphas)
    assert (np.diff(table) >= -1e-12).all()
    np.testing.assert_allclose(table + table[:, ::-1], 1, rtol=0, atol=1e-12)
    edge = LARGEST_X * np.array([1 - 1e-12, 1 + 1e-12])
    assert np.abs(np.diff(cumulatives(edge, alphas))).max() < 1e-9
    for alpha in (0.8, 1.3, 1.7):  # P(X > x) ~ C x^-α
        constant = gamma(alpha) * np.sin(np.pi * alpha / 2) / np.pi
        assert 1 - cumulatives(np.array(1e5), np.array(alpha)) == pytest.approx(constant * 1e5**-alpha, rel=1e-3)
        for x in (-1e5, -1.0, 1.0, 1e5):  # a single number is as good as an array
            assert cumulatives(np.array(x), np.array(alpha)) == cumulatives(np.array([x]), np.array([alpha]))[0]


def test_cumulatives_at_infinity_and_where_there_is_no_number():
    values = cumulatives(np.array([np.inf, -np.inf, np.nan, 0.0]), np.array([1.5, 1.5, 1.5, np.nan]))
    np.testing.assert_array_equal(values, [1, 0, np.nan, np.nan])
    for alpha in (0.79, 2.01):
        with pytest.raises(InputError, match=r"'alpha' must be in .0\.8, 2\.0."):
            cumulatives(X, np.array(alpha))


@pytest.mark.parametrize("alpha", [1.0, 1.1, 1.5, 1.9, 1.99, 2.0])
def test_log_densities_are_logarithms_of_the_density(alpha):
    x = np.linspace(-29.9, 29.9, 301) if alpha < 2 else np.linspace(-8, 8, 101)
    np.testing.assert_allclose(log_densities(x, alpha), np.log(density(x, alpha)), rtol=0, atol=1e-6)


def test_log_densities_beyond_the_quadrature_are_those_of_known_laws():
    x = np.array([31.0, 1e3, 1e9])
    np.testing.assert_allclose(log_densities(x, 1.0), stats.cauchy.logpdf(x), rtol=0, atol=1e-9)
    np.testing.assert_allclose(log_densities(x, 2.0), stats.norm(scale=2**0.5).logpdf(x), rtol=1e-12)


@pytest.mark.parametrize("alpha", [1.1, 1.5, 1.99])
def test_log_densities_join(alpha):
    below, above = log_densities(np.array([30 - 1e-9, 30 + 1e-9]), alpha)
    assert below == pytest.approx(above, abs=1e-6)


@pytest.mark.parametrize("alpha", [0.9, 1.995, 2.1])
def test_log_densities_refuse_other_tail_indices(alpha):
    with pytest.raises(InputError, match="'alpha' must be in"):
        log_densities(np.zeros(1), alpha)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_quantile_inverts_the_cumulative(alpha):
    for level in (0.05, 0.25, 0.4, 0.5, 0.75, 0.95):
        assert cumulative(np.array(quantile(level, alpha)), alpha) == pytest.approx(level, abs=1e-11)
        assert quantile(1 - level, alpha) == pytest.approx(-quantile(level, alpha), abs=1e-11)


@pytest.mark.parametrize("level", [1e-2, 1e-4, 1e-6, 1e-9])
def test_far_quantiles_are_those_of_known_laws(level):
    for alpha, law in ((1.0, stats.cauchy), (2.0, stats.norm(scale=2**0.5))):
        assert quantile(level, alpha) == pytest.approx(law.ppf(level), rel=1e-8)
    for alpha in (1.2, 1.5, 1.8):  # P(X > x) ~ C x^-α to leading order
        constant = gamma(alpha) * np.sin(np.pi * alpha / 2) / np.pi
        leading_term = -((constant / level) ** (1 / alpha))
        assert quantile(level, alpha) == pytest.approx(leading_term, rel=40 * level)


@pytest.mark.parametrize("alpha", [1.1, 1.5, 1.9])
def test_far_quantiles_agree_with_another_implementation(alpha):
    for level in (1e-2, 1e-3):
        assert stats.levy_stable.cdf(quantile(level, alpha), alpha, 0) == pytest.approx(level, rel=1e-5)


@pytest.mark.parametrize("level", [0.5, 0.1, 1e-2, 1e-4, 1e-6, 1e-9])
def test_many_quantiles_at_once(level):
    # Near α = 2 the tail turns from normal to power within 2 - α of about the level.
    alphas = np.clip(2 - level * np.expm1(np.linspace(0, 1, 60) * np.log1p(1 / level)), 1, 2)
    expected = [quantile(level, alpha) for alpha in alphas.tolist()]
    tolerance = 1e-7 if level >= 1e-4 else 1e-5
    np.testing.assert_allclose(quantiles(level, alphas), expected, rtol=tolerance, atol=1e-12)
    if level >= 1e-6:
        np.testing.assert_allclose(quantiles(1 - level, alphas), -np.array(expected), rtol=1e-5, atol=1e-12)
    assert np.isnan(quantiles(level, np.array([0.9, 2.1, np.nan]))).all()


@pytest.mark.parametrize("alpha", [0.79, 2.01, 0.0, np.nan])
def test_tail_indices_out_of_range_are_refused(alpha):
    for function in (cumulative, density, density_slope):
        with pytest.raises(InputError, match=r"'alpha' must be in .0\.8, 2\.0."):
            function(X, alpha)
    with pytest.raises(InputError, match="'alpha'"):
        location_information(alpha)


def test_points_and_levels_out_of_range_are_refused():
    for x in (1.01 * LARGEST_X, -1.01 * LARGEST_X, np.inf, np.nan):
        with pytest.raises(InputError, match=r"'x' must be within ±.* scales"):
            cumulative(np.array([0.0, x]), 1.5)
    for level in (0.0, 1.0, -0.5, np.nan, 1 - 1e-10, 1e-10):
        for function, alpha in ((quantile, 1.5), (quantiles, np.array(1.5))):
            with pytest.raises(InputError, match="'probability' must be at least 1e-09 from 0 and 1"):
                function(level, alpha)


@pytest.mark.parametrize(("alpha", "ratio", "spread"), [(1.5, 3.1498, 1.9379), (2.0, 2.43866, 1.90775)])
def test_quantiles_of_known_laws(alpha, ratio, spread):
    assert 2 * quantile(0.95, alpha) / spread == pytest.approx(ratio, abs=1e-4)
    assert interquartile_range(alpha) == pytest.approx(spread, abs=1e-4)


def test_a_law_is_found_in_its_quantiles_between_grid_points():
    for alpha in (0.8, 0.9173, 1.2345, 1.777, 1.999):
        quantiles = np.array([quantile(level, alpha) for level in LEVELS])
        fit = fit_quantiles(3 * quantiles - 1)
        assert [fit.alpha, fit.scale, fit.location] == pytest.approx([alpha, 3, -1], rel=1e-6)
        assert interquartile_range(alpha) == pytest.approx(quantiles[3] - quantiles[1], rel=1e-6)


@pytest.mark.parametrize(("alpha", "expected"), INFORMATION.items())
def test_fisher_information_of_the_location(alpha, expected):
    assert location_information(alpha) == pytest.approx(expected, abs=2e-6)


def test_many_informations_at_once():
    alphas = np.array([1.0, 1.05, 1.333, 1.97, 1.999, 2.0])
    expected = [location_information(alpha) for alpha in alphas.tolist()]
    np.testing.assert_allclose(location_informations(alphas), expected, rtol=0, atol=1e-6)
    assert np.isnan(location_informations(np.array([0.8, 0.999, 2.1, np.nan]))).all()


def test_informations_are_the_same_bit_for_bit_in_each_process():
    alphas, results = np.linspace(1, 2, 101), set()
    for _ in range(3):
        _information_interpolant.cache_clear()
        results.add(location_informations(alphas).tobytes())
    assert len(results) == 1


@pytest.mark.parametrize(("alpha", "sd"), [(1.1, 0.030), (1.5, 0.038), (1.9, 0.059)])
def test_the_estimator_recovers_the_tail_index(alpha, sd):
    fit = fit_stable(samples(alpha, (100, 3000), seed=1))
    assert fit.alpha.mean() == pytest.approx(alpha, abs=3 * sd / 10)
    assert fit.alpha.std() == pytest.approx(sd, rel=0.25)
    assert fit.scale.mean() == pytest.approx(1, abs=0.01)
    assert fit.location.mean() == pytest.approx(0, abs=0.015)
    assert not fit.degenerate.any()


def test_the_estimator_clips_about_half_of_normal_samples():
    fit = fit_stable(samples(2.0, (100, 3000), seed=2))
    assert fit.alpha.mean() == pytest.approx(1.969, abs=0.013)
    assert fit.alpha.std() == pytest.approx(0.043, rel=0.25)
    assert 35 <= fit.clipped.sum() <= 65
    assert (fit.alpha[fit.clipped] == 2).all()
    assert (fit.alpha[~fit.clipped] < 2).all()


@pytest.mark.parametrize(
    ("law", "alpha", "scale"), [(stats.cauchy(1, 3), 1.0, 3.0), (stats.norm(1, 3), 2.0, 3 / np.sqrt(2))]
)
def test_exact_quantiles_give_the_exact_law(law, alpha, scale):
    fit = fit_stable(grid_of(law))
    assert fit.alpha == pytest.approx(alpha, abs=1e-3)
    assert fit.scale == pytest.approx(scale, rel=1e-3)
    assert fit.location == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(("law", "expected"), [(stats.laplace, 1.45), (stats.t(3), 1.53)])
def test_a_tail_index_below_two_does_not_show_infinite_variance(law, expected):
    assert fit_stable(grid_of(law)).alpha == pytest.approx(expected, abs=0.01)


def test_a_product_of_two_normals_looks_heavy():
    x, y = np.random.default_rng(3).standard_normal((2, 400_000))
    assert fit_stable(x * y).alpha == pytest.approx(1.22, abs=0.015)


def test_each_row_is_fitted_for_itself():
    sample = samples(1.6, (2, 3, 200), seed=5)
    together = fit_stable(sample)
    assert together.alpha.shape == (2, 3)
    for row in np.ndindex(2, 3):
        for whole, part in zip(together, fit_stable(sample[row]), strict=True):
            assert whole[row] == part


def test_infinite_draws_do_not_pass_as_numbers():
    normal = np.random.default_rng(7).standard_normal(100)
    few, many, both_signs = normal.copy(), normal.copy(), normal.copy()
    few[3], many[:30], both_signs[:30], both_signs[30:60] = np.inf, np.inf, np.inf, -np.inf
    fit = fit_stable(np.stack([few, many, both_signs]))
    assert fit.degenerate.all()
    assert np.isnan([fit.alpha, fit.scale, fit.location]).all()


def upper_tail(x: float, alpha: float) -> mp.mpf:
    """1 - F(x) = (1/π) Im ∫ e^{itx} (1 - e^{-t^α}) dt/t along the ray t = s e^{iπ/4}, where it decays, to 40 digits."""
    with mp.workdps(40):
        x, alpha = mp.mpf(x), mp.mpf(alpha)
        ray, turn = mp.expjpi(mp.mpf(1) / 4), mp.expjpi(alpha / 4)
        return (
            mp.quad(lambda u: (mp.exp(1j * u * ray) * -mp.expm1(-((u / x) ** alpha) * turn) / u).imag, [0, 5, 100])
            / mp.pi
        )


@pytest.mark.parametrize("alpha", [0.8, 0.999, 1.0, 1.001, 1.05, 1.5, 1.9, 1.999])
def test_far_tails_are_those_of_an_integral_of_high_precision(alpha):
    x = np.array([30.5, 1e3, 1e6, 1e9, 1e12])
    expected = np.array([float(upper_tail(point, alpha)) for point in x])
    below = cumulatives(-x, np.array(alpha))
    np.testing.assert_allclose(below, expected, rtol=2e-12)
    np.testing.assert_allclose(below[1:], expected[1:], rtol=1e-14)
    np.testing.assert_allclose(1 - cumulatives(x, np.array(alpha)), expected, atol=3e-16)
    density = -np.diff([float(upper_tail(factor * 1e6, alpha)) for factor in (1 - 1e-4, 1 + 1e-4)]) / 200
    if 1 <= alpha <= 1.99:
        assert np.exp(log_densities(np.array([1e6]), alpha)) == pytest.approx(density, rel=1e-6)


@pytest.mark.parametrize("tail", [1e-4, 1e-6, 1e-9])
@pytest.mark.parametrize("alpha", [0.999, 1.0, 1.001, 1.3])
def test_far_quantiles_are_those_of_an_integral_of_high_precision(alpha, tail):
    x = quantile(tail, alpha)
    assert x < -30
    assert float(upper_tail(-x, alpha)) == pytest.approx(tail, rel=1e-11)


def test_the_integral_of_high_precision_is_right_where_the_law_is_known():
    for x in (0.5, 40.0, 1e6):
        assert float(upper_tail(x, 1.0)) == pytest.approx(float(mp.atan(1 / mp.mpf(x)) / mp.pi), rel=1e-14)  # Cauchy
    assert float(upper_tail(50, 1.7)) == pytest.approx(stats.levy_stable.sf(50, 1.7, 0), rel=1e-6)


def test_the_farthest_tails_are_probabilities():
    x = np.array([1e20, 1e100, np.inf])
    np.testing.assert_allclose(cumulatives(-x[:2], np.array(1.0)), 1 / (np.pi * x[:2]), rtol=1e-14)  # Cauchy, again
    for alpha in (0.8, 1.0, 1.5, 2.0):
        below, above = (cumulatives(sign * x, np.array(alpha)) for sign in (-1, 1))
        assert (below >= 0).all() and below[-1] == 0 and (above == 1).all()
    assert (cumulatives(np.array([-31.0, -1e3]), np.array(2.0)) == 0).all()
