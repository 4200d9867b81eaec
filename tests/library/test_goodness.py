import numpy as np
import pytest
from scipy import stats

from learnability.core.errors import InputError
from learnability.stats.stable import (
    ESTIMATORS,
    cumulative,
    fit_characteristic_function,
    fit_stable,
    interquartile_range,
)
from learnability.stats.stable.draws import draw
from learnability.stats.stable.goodness import distance, stable_law_test
from learnability.stats.stable.recovery import recovery_table, reference_table


def generator(seed):
    return np.random.default_rng(seed)


def test_the_distance_is_kolmogorov_and_smirnovs():
    x = 1 + 2 * draw(1.8, (3, 40), generator(1))
    fit = fit_stable(x)
    expected = [
        stats.kstest(
            row, lambda y, i=i: cumulative((y - fit.location[i]) / fit.scale[i], float(fit.alpha[i]))
        ).statistic
        for i, row in enumerate(x)
    ]
    np.testing.assert_allclose(distance(x, fit), expected, rtol=0, atol=1e-8)


@pytest.mark.parametrize("rows", [[30], [7, 7, 7, 7, 2]])
def test_the_p_value_counts_as_a_plain_loop_does(monkeypatch, rows):
    monkeypatch.setattr("learnability.stats.stable.goodness.BLOCK", 60 * rows[0])
    x, stream = draw(1.4, 60, generator(2)), generator(3)
    fit = fit_stable(x)
    statistic = float(distance(x, fit))
    samples = np.concatenate([draw(float(fit.alpha), (count, 60), stream) for count in rows])
    larger = sum(distance(row, fit_stable(row)).item() >= statistic for row in samples)
    assert 0 < larger < 30
    assert stable_law_test(x, fit_stable, 30, generator(3)) == pytest.approx((statistic, (1 + larger) / 31))


@pytest.mark.parametrize("estimator", [fit_stable, fit_characteristic_function])
def test_p_values_of_stable_samples_are_uniform(estimator):
    stream = generator(4)
    p = [stable_law_test(3 - draw(1.6, 300, stream), estimator, 39, stream).p_value for _ in range(60)]
    assert stats.kstest(p, "uniform").pvalue > 1e-3
    assert np.mean(p) == pytest.approx(0.5, abs=3 / np.sqrt(12 * 60))


def test_laws_that_are_not_stable_are_rejected():
    stream = generator(5)
    for x in (stream.laplace(size=6000), stream.uniform(size=6000), np.prod(stream.standard_normal((2, 6000)), axis=0)):
        assert stable_law_test(x, fit_stable, 49, stream).p_value == 1 / 50


@pytest.mark.parametrize("bad", [np.zeros(100), np.r_[np.zeros(80), np.arange(20.0)], np.r_[np.arange(99.0), np.nan]])
def test_a_degenerate_sample_has_no_p_value(bad):
    for estimator in ESTIMATORS.values():
        assert np.isnan(stable_law_test(bad, estimator, 5, generator(6))).all()
        assert np.isnan(distance(bad, estimator(bad)))


def test_a_test_needs_draws_and_repetitions():
    with pytest.raises(InputError, match=r"'repetitions' must be at least 1"):
        stable_law_test(np.arange(50.0), fit_stable, 0, generator(7))
    with pytest.raises(InputError, match="'sample' must be of at least 20 draws"):
        stable_law_test(np.arange(19.0), fit_stable, 5, generator(7))


def test_recovery_of_stable_laws():
    table = recovery_table((1.1, 1.5, 1.9, 2.0), 3000, 100, generator(8)).set_index(["estimator", "alpha"])
    assert table["bias"].tolist() == pytest.approx((table["mean"] - table.index.get_level_values("alpha")).tolist())
    quantiles, regression, hill = (table.loc[name] for name in ESTIMATORS)
    assert quantiles["sd"].tolist() == pytest.approx([0.030, 0.038, 0.059, 0.043], rel=0.25)
    assert quantiles["mean"].tolist() == pytest.approx([1.1, 1.5, 1.9, 1.969], abs=0.018)
    assert 0.35 <= quantiles["clipped"][2.0] <= 0.65
    assert (regression["sd"] < 1.15 * quantiles["sd"]).all()
    assert (regression["sd"][[1.9, 2.0]] < 0.5 * quantiles["sd"][[1.9, 2.0]]).all()
    assert (regression["bias"].abs() < 0.01).all()
    assert hill["bias"][1.5] > 0.05
    assert hill["clipped"][[1.9, 2.0]].tolist() == [1, 1]
    assert table["scale_mean"].tolist() == pytest.approx([1] * len(table), abs=0.012)
    assert (table["scale_sd"] < 0.04).all()


def test_laws_of_finite_variance_look_heavy():
    table = reference_table(40_000, generator(9), {"mcculloch": fit_stable}, 9).set_index("law")
    assert table["alpha"].tolist() == pytest.approx([1.22, 1.45, 1.53, 1.83, 2.0], abs=0.04)
    assert table["p_value"].tolist()[:2] == [0.1, 0.1]
    assert table["p_value"]["normal"] > 0.1
    assert table["scale"]["normal"] == pytest.approx(1 / np.sqrt(2), rel=0.02)


def test_a_recovery_of_no_samples_is_refused():
    with pytest.raises(InputError, match=r"'repetitions' must be at least 1\. Got 0"):
        recovery_table([1.5], 50, 0, generator(1))


@pytest.mark.parametrize("alpha", [0.5, 2.5, np.array([1.0, 2.1])])
def test_the_quartiles_of_a_law_that_is_none_are_refused(alpha):
    with pytest.raises(InputError, match=r"'alpha' must be in \[0.8, 2.0\]"):
        interquartile_range(alpha)
    assert np.isnan(interquartile_range(np.array([np.nan, 1.0]))[0])
