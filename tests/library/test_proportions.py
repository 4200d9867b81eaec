import numpy as np
from scipy.stats import binomtest

from learnability.stats.proportions import CONFIDENCE, proportion_interval


def test_interval_is_that_of_scipy():
    for count in (1, 7, 1000):
        found = np.unique(np.linspace(0, count, 12).astype(int))
        expected = [binomtest(int(each), count).proportion_ci(CONFIDENCE, "exact") for each in found]
        np.testing.assert_allclose(proportion_interval(found, count).T, np.array(expected), rtol=1e-9, atol=1e-15)


def test_one_share_has_two_ends():
    low, high = proportion_interval(3, 20)
    assert 0 < low < 3 / 20 < high < 1
