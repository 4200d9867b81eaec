import numpy as np
import pytest
from scipy import stats

from learnability.core.errors import InputError
from learnability.stats.stable import ESTIMATORS, fit_characteristic_function, fit_hill, fit_stable, quantile
from learnability.stats.stable.characteristic_function import POINTS, ROUNDS
from learnability.stats.stable.draws import draw


def samples(alpha, shape, seed):
    return draw(alpha, shape, np.random.default_rng(seed))


@pytest.fixture(params=ESTIMATORS)
def estimator(request):
    return ESTIMATORS[request.param]


@pytest.mark.parametrize("alpha", [0.8, 1.0, 1.3, 1.7, 1.99, 2.0])
def test_draws_follow_the_law(alpha):
    # Between quantiles of the law lie equal shares; Cauchy and normal laws are checked against scipy's.
    x = samples(alpha, 100_000, seed=1)
    assert np.isfinite(x).all()
    edges = [quantile(level, alpha) for level in np.linspace(0, 1, 41)[2:-2].tolist()]
    counts = np.bincount(np.searchsorted(edges, x))
    expected = np.full(38, len(x) / 40)
    expected[[0, -1]] *= 2
    assert stats.chisquare(counts, expected).pvalue > 1e-3
    law = {1.0: stats.cauchy, 2.0: stats.norm(scale=np.sqrt(2))}.get(alpha)
    if law is not None:
        assert stats.kstest(x, law.cdf).pvalue > 1e-3


def test_draws_come_from_the_generator_alone():
    sample, repetition = (draw(1.5, (2, 3), np.random.default_rng(5)) for _ in range(2))
    np.testing.assert_array_equal(sample, repetition)
    assert sample.shape == (2, 3)
    for alpha in (0.5, 2.1, np.nan):
        with pytest.raises(InputError, match=r"'alpha' must be in .0\.8, 2\.0."):
            draw(alpha, 3, np.random.default_rng(5))


def plain_regression(x):
    """The regression of one sample, by the book."""
    x, scale = x - np.median(x), fit_stable(x).scale
    for _ in range(ROUNDS):
        modulus = np.array([abs(np.mean(np.exp(1j * t * x / scale))) for t in POINTS])
        slope, level = np.polyfit(np.log(POINTS), np.log(-np.log(modulus**2)), 1)
        alpha = min(max(slope, 0.8), 2.0)
        level += (slope - alpha) * np.log(POINTS).mean()
        scale *= np.exp((level - np.log(2)) / alpha)
    return alpha, scale


@pytest.mark.parametrize("alpha", [0.8, 1.2, 1.9, 2.0])
def test_the_regression_is_the_plain_one(alpha):
    x = 3 + 2 * samples(alpha, (4, 200), seed=2)
    fit = fit_characteristic_function(x)
    expected = np.array([plain_regression(row) for row in x])
    np.testing.assert_allclose(np.stack([fit.alpha, fit.scale], -1), expected, rtol=1e-9)
    assert (fit.clipped == np.isin(fit.alpha, [0.8, 2.0])).all()


@pytest.mark.parametrize(("alpha", "sd"), [(1.1, 0.029), (1.5, 0.033), (1.9, 0.025), (2.0, 0.0042)])
def test_the_regression_recovers_the_law(alpha, sd):
    fit = fit_characteristic_function(samples(alpha, (100, 3000), seed=3))
    # At 2 half of the fits sit at 2, which takes half of a normal error: mean -0.4 sd of the error, 0.007.
    assert fit.alpha.mean() == pytest.approx(1.9973 if alpha == 2 else alpha, abs=3 * sd / 10)
    assert fit.alpha.std() == pytest.approx(sd, rel=0.25)
    assert fit.scale.mean() == pytest.approx(1, abs=0.01)
    assert fit.clipped.mean() == pytest.approx(0.5 if alpha == 2 else 0, abs=0.15)


def test_the_regression_errs_by_its_asymptotic_sd_at_two():
    # Below 2 nothing is cut, so that the sd of the whole error is sqrt(2) times the root mean square of that side's.
    error = fit_characteristic_function(samples(2.0, (400, 3000), seed=4)).alpha - 2
    assert np.sqrt(2 * (error**2).mean()) == pytest.approx(0.007, rel=0.15)


@pytest.mark.parametrize("law", [stats.cauchy(1, 3), stats.norm(1, 3)])
def test_the_regression_on_a_sample_without_chance(law):
    fit = fit_characteristic_function(law.ppf((np.arange(100_000) + 0.5) / 100_000))
    alpha, scale = (1.0, 3.0) if law.dist.name == "cauchy" else (2.0, 3 / np.sqrt(2))
    assert fit.alpha == pytest.approx(alpha, abs=1e-3)
    assert fit.scale == pytest.approx(scale, rel=1e-3)
    assert fit.location == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("share", [0.002, 0.05, 0.5])
def test_hill_is_the_plain_formula(share):
    x = samples(1.2, 2000, seed=5)
    count = max(10, int(np.ceil(share * 2000)))
    r = sorted(abs(x - np.median(x)), reverse=True)
    alpha = 1 / np.mean([np.log(r[i] / r[count]) for i in range(count)])
    fit = fit_hill(x, share)
    assert fit.alpha == pytest.approx(alpha, rel=1e-12)
    assert fit.scale == pytest.approx(fit.spread / (2 * quantile(0.75, alpha)), rel=1e-6)


@pytest.mark.parametrize("alpha", [1.1, 1.4])
def test_hill_recovers_a_power_law_within_its_asymptotic_sd(alpha):
    # Power laws beyond ±1 about a narrow core: sd α/√k.
    generator, shape = np.random.default_rng(6), (200, 3000)
    tails = generator.choice([-1.0, 1.0], shape) * (generator.pareto(alpha, shape) + 1)
    fit = fit_hill(np.where(generator.random(shape) < 0.5, generator.uniform(-0.01, 0.01, shape), tails))
    assert fit.alpha.mean() == pytest.approx(alpha, abs=0.03)
    assert fit.alpha.std() == pytest.approx(alpha / np.sqrt(150), rel=0.15)


def test_hill_reads_stable_tails_as_too_light():
    means = [fit_hill(samples(alpha, (50, 3000), seed=7)).alpha.mean() for alpha in (1.1, 1.5)]
    assert means == pytest.approx([1.11, 1.64], abs=0.06)
    fit = fit_hill(samples(1.9, (50, 3000), seed=7))
    assert fit.clipped.all()
    assert (fit.alpha == 2).all()
    assert fit.scale.mean() == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("share", [0.0, -0.1, 0.51, np.nan])
def test_hill_refuses_a_share_out_of_range(share):
    with pytest.raises(InputError, match=r"'share' must be in \(0, 0\.5\]"):
        fit_hill(np.arange(100.0), share)


def test_hill_has_no_fit_where_most_draws_are_equal():
    # Interquartile range above zero, and yet the eleventh distance is zero.
    x = np.concatenate([np.zeros(13), np.arange(1.0, 8)])
    assert not fit_stable(x).degenerate
    fit = fit_hill(x)
    assert fit.degenerate
    assert np.isnan([fit.alpha, fit.scale, fit.location]).all()
    equal = fit_hill(np.repeat([-1.0, 1.0], 50))  # all distances equal: no tail at all
    assert (equal.alpha, equal.clipped, equal.degenerate) == (2, True, False)


@pytest.mark.parametrize(("shift", "scale"), [(0.0, 1e-70), (5.0, 1.0), (-3.0, 100.0), (0.0, -2.0)])
def test_fits_follow_shift_and_scale(estimator, shift, scale):
    sample = samples(1.6, (3, 500), seed=8)
    plain, moved_fit = estimator(sample), estimator(shift + scale * sample)
    np.testing.assert_allclose(moved_fit.alpha, plain.alpha, rtol=1e-9)
    np.testing.assert_allclose(moved_fit.scale, abs(scale) * plain.scale, rtol=1e-9)
    np.testing.assert_allclose(moved_fit.location, shift + scale * plain.location, rtol=1e-9)


def test_each_row_is_fitted_for_itself(estimator):
    sample = samples(1.6, (2, 3, 200), seed=9)
    before, together = sample.copy(), estimator(sample)
    np.testing.assert_array_equal(sample, before)
    for row in np.ndindex(2, 3):
        for whole, part in zip(together, estimator(sample[row]), strict=True):
            assert whole[row] == pytest.approx(part, rel=1e-13)


def test_samples_without_a_law_are_degenerate_and_give_no_numbers(estimator):
    normal = np.random.default_rng(10).standard_normal(100)
    with_nan, infinite, mostly_zero = normal.copy(), normal.copy(), normal * (np.arange(100) < 30)
    with_nan[17], infinite[[3, 4]] = np.nan, [np.inf, -np.inf]
    fit = estimator(np.stack([np.zeros(100), np.full(100, 3.0), mostly_zero, with_nan, infinite, normal]))
    assert fit.degenerate.tolist() == [True] * 5 + [False]
    for numbers in (fit.alpha, fit.scale, fit.location):
        assert np.isnan(numbers).tolist() == [True] * 5 + [False]
    assert not fit.clipped[:5].any()


def test_tails_out_of_range_are_put_at_its_ends(estimator):
    level = (np.arange(2000) + 0.5) / 2000
    fit = estimator(np.stack([level, stats.t(0.4).ppf(level)]))
    assert fit.alpha.tolist() == [2.0, 0.8]
    assert fit.clipped.all()


def test_a_sample_needs_20_draws(estimator):
    with pytest.raises(InputError, match=r"'sample' must be of at least 20 draws\. Got 19"):
        estimator(np.arange(19.0))
    assert not estimator(np.arange(20.0)).degenerate
