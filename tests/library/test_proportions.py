import numpy as np
import pytest
from scipy.stats import binomtest

from learnability.core.errors import InputError
from learnability.stats.proportions import CONFIDENCE, proportion_interval


def test_interval_is_that_of_scipy():
    for count in (1, 7, 1000):
        counts = np.unique(np.linspace(0, count, 12).astype(int))
        expected = [binomtest(int(n), count).proportion_ci(CONFIDENCE, "exact") for n in counts]
        np.testing.assert_allclose(proportion_interval(counts, count).T, np.array(expected), rtol=1e-9, atol=1e-15)


def test_one_share_has_two_ends():
    low, high = proportion_interval(3, 20)
    assert 0 < low < 3 / 20 < high < 1


@pytest.mark.parametrize(
    ("found", "count", "message"),
    [
        (6, 5, "'found' must be between 0 and count, 5. Got 6"),
        (-1, 5, "'found' must be between 0 and count, 5. Got -1"),
        (0, 0, "'count' must be at least 1. Got 0"),
        (np.array([1, 4]), 3, r"'found' must be between 0 and count, \[3, 3\]. Got \[1, 4\]"),
    ],
)
def test_what_is_no_share_is_refused(found, count, message):
    with pytest.raises(InputError, match=message):
        proportion_interval(found, count)
