"""Numbers of sequences from which something is learned, against curves whose crossing is known."""

import numpy as np
import pytest

from learnability.stats.thresholds import log_n50, log_threshold

SIZES = np.array([2, 8, 32, 128])


@pytest.mark.parametrize("n50", [3.0, 8.5, 100.0])
def test_a_curve_that_is_a_line_in_log_n_crosses_where_it_was_made_to(n50):
    shares = 0.5 + 0.1 * (np.log(SIZES) - np.log(n50))
    assert np.exp(log_threshold(np.log(SIZES), shares)) == pytest.approx(n50)


def test_thresholds_beyond_the_n_that_were_tried_are_infinite():
    """Alone it can catch a number that is given where the least N suffices or the largest does not."""
    assert log_threshold(np.log(SIZES), np.array([0.6, 0.7, 0.8, 0.9])) == -np.inf
    assert log_threshold(np.log(SIZES), np.array([0.1, 0.2, 0.4, 0.45])) == np.inf


def test_a_dip_is_averaged_with_its_neighbours():
    shares = np.array([0.0, 0.8, 0.4, 1.0])  # 0.8 and 0.4 become 0.6 both: ½ is crossed at 5/6 of the way from 2 to 8
    expected = np.log(2) + np.log(4) * 0.5 / 0.6
    assert log_threshold(np.log(SIZES), shares) == pytest.approx(expected)


def test_who_learns_more_from_each_n_never_needs_more_sequences():
    """Alone it can catch an order that isotonic regression or the crossing turns round."""
    generator = np.random.default_rng(1)
    for _ in range(200):
        shares = generator.normal(0.5, 0.4, size=4)
        more = shares + generator.exponential(0.2, size=4)
        assert log_threshold(np.log(SIZES), more) <= log_threshold(np.log(SIZES), shares)


@pytest.mark.parametrize(("thresholds", "n50"), [([1, 2, 9], 2), ([1, 2, 3, 9], 2), ([-np.inf, np.inf], -np.inf)])
def test_n50_is_the_least_n_from_which_half_of_the_seeds_learn(thresholds, n50):
    assert log_n50(np.array(thresholds, float)) == n50
