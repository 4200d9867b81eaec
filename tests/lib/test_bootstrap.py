import numpy as np
import pytest
import xarray as xr
from scipy import stats

from learnability.bootstrap import family_wise_bound, sequence_weights
from learnability.errors import InputError

LEVEL = 0.1


def statistic(values):
    return xr.Dataset({"statistic": (("lag", "sequence", "time")[: values.ndim], values)})


def test_weights_count_draws_with_replacement():
    weights = sequence_weights(7, 4000, np.random.default_rng(1))
    assert (weights.sum(1) == 7).all()
    np.testing.assert_allclose(weights.mean(0), 1, atol=0.08)
    np.testing.assert_allclose(weights.var(0), 6 / 7, rtol=0.12)


def test_the_bound_is_that_of_a_loop_over_draws():
    values = np.random.default_rng(2).standard_normal((3, 9, 4)) + 1
    weights = sequence_weights(9, 200, np.random.default_rng(3))
    means = np.array([np.repeat(values, row, axis=1).mean((1, 2)) for row in weights])
    spread = means.std(0)
    c = np.quantile([max((row - values.mean((1, 2))) / spread) for row in means], 1 - LEVEL)
    found = family_wise_bound(statistic(values), LEVEL, 200, np.random.default_rng(3))
    np.testing.assert_allclose(found, values.mean((1, 2)) - c * spread, rtol=1e-9)


def test_the_t_of_a_sequence_are_no_independent_draws():
    values = np.random.default_rng(4).standard_normal((2, 50, 1))
    once, often = (
        family_wise_bound(statistic(np.repeat(values, count, axis=2)), LEVEL, 300, np.random.default_rng(5))
        for count in (1, 100)
    )
    np.testing.assert_allclose(often, once, rtol=1e-9)


def test_no_lag_of_pure_noise_is_above_its_bound_more_often_than_the_level_says():
    rng, generator, trials = np.random.default_rng(6), np.random.default_rng(7), 500
    shared = rng.standard_normal((trials, 1, 200))  # lags of one network are correlated
    values = shared + rng.standard_normal((trials, 8, 200))
    found = sum(family_wise_bound(statistic(each), LEVEL, 200, generator).max() > 0 for each in values)
    low, high = stats.binomtest(found, trials).proportion_ci(0.999, "exact")
    assert low <= LEVEL <= high


def test_a_lag_without_noise_is_its_own_bound():
    bound = family_wise_bound(statistic(np.full((2, 30, 2), 0.25)), LEVEL, 100, np.random.default_rng(8))
    np.testing.assert_allclose(bound, 0.25, rtol=1e-12)


@pytest.mark.parametrize("level", [0.0, 0.5, np.nan])
def test_levels_out_of_range_are_refused(level):
    with pytest.raises(InputError, match="'level' must be in"):
        family_wise_bound(statistic(np.ones((1, 30, 1))), level, 100, np.random.default_rng(0))
