"""Appendix E."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, stats

from drawn import generator
from learnability.core.errors import InputError
from learnability.stats.stable import density, log_densities
from learnability.stats.stable.draws import draw
from learnability.windows.detection import exact_log_sample_complexity
from studies.learnability_window.theory import information
from studies.learnability_window.theory.sample_complexity import kappa


@pytest.mark.parametrize(("alpha", "h"), [(1.0, 2.0), (1.5, 1.0), (1.5, 30.0), (2.0, 4.0)])
def test_mutual_information_by_the_sum_of_two_divergences(alpha, h):
    def integrand(x):
        log_p, log_q = log_densities(np.array([x - h / 2, x + h / 2]), alpha)
        mixture = np.logaddexp(log_p, log_q) - np.log(2)
        return (np.exp(log_p) * (log_p - mixture) + np.exp(log_q) * (log_q - mixture)) / 2

    edges = [-1e5, -1e3, -30 - h, -h / 2, 0, h / 2, 30 + h, 1e3, 1e5]
    slow = sum(integrate.quad(integrand, a, b, limit=200)[0] for a, b in pairwise(edges))
    assert information.mutual_information(h, alpha) == pytest.approx(slow, rel=2e-5)


@pytest.mark.parametrize(("h", "error"), [(1, 0.361), (2, 0.244), (5, 0.072), (10, 0.0207)])
def test_the_least_error_is_known_and_drawn(h, error):
    assert information.bayes_error(h, 1.5) == pytest.approx(error, abs=5e-4)
    sample = draw(1.5, 100_000, generator()) + h / 2
    assert (sample < 0).mean() == pytest.approx(error, abs=0.004)


def test_the_least_error_is_the_overlap_of_both_laws():
    x, h = np.linspace(-29, 29, 20_001), 3.0
    overlap = np.minimum(density(x - h / 2 * (x > -28), 1.7), density(np.clip(x + h / 2, -30, 30), 1.7))
    assert information.bayes_error(h, 1.7) == pytest.approx(integrate.simpson(overlap, x=x) / 2, abs=2e-3)


def test_the_mutual_information_is_at_most_a_quarter_of_the_bound():
    table = information.information_table([1.1, 1.5, 1.9, 2.0], [0.02, 0.1, 1, 3, 10])
    assert (table["ratio"] <= 0.25).all()
    np.testing.assert_allclose(table.loc[table["shift"] == 0.02, "ratio"], 0.25, rtol=1e-3)
    assert (table["information"] < np.log(2)).all()


def test_the_papers_fano_bound_exceeds_the_error_of_a_coin():
    table = information.information_table([1.5], [0.1, 1, 2, 5, 10, 50])
    assert (table["paper_error"] > table["bayes_error"]).all()
    assert table["paper_error"].iloc[0] > 0.99
    assert (table["fano_error"] <= table["bayes_error"]).all()


def test_a_level_that_eq_36_asks_for_exceeds_all_information_there_is():
    assert np.log(1 / (2 * 0.1)) == pytest.approx(1.609, abs=1e-3) and np.log(1 / (2 * 0.1)) > np.log(2)
    level = float(np.log(2) - stats.entropy([0.1, 0.9]))
    assert level == pytest.approx(0.368, abs=1e-3)
    assert information.fano_error(level) == pytest.approx(0.1, abs=1e-12)
    assert information.fano_error(0.0) == 0.5


def test_information_beyond_one_bit_is_refused():
    with pytest.raises(InputError, match="'information' must be in"):
        information.fano_error(0.7)


@pytest.mark.parametrize(("alpha", "error"), [(2.0, 0.1848), (1.5, 0.1780)])
def test_the_mean_of_as_many_draws_as_eq_36_says_errs_more(alpha, error):
    size = information.sample_complexity_of_the_paper(0.2, alpha, 0.1)
    actual_error = information.bayes_error(0.2 * size ** (1 / kappa(alpha)), alpha)
    assert actual_error == pytest.approx(error, abs=1e-4)
    # Solving Eq. 35 with the quarter that the information has of its bound takes 2^κ times as many.
    quarter = information.location_information(alpha) / 8
    level = (0.2 * (2 ** kappa(alpha) * size) ** (1 - 1 / alpha)) ** 2 * quarter
    assert level == pytest.approx(np.log(5), rel=1e-9)


DETECTORS = {
    "mean": lambda x: x.mean(1),
    "median": lambda x: np.median(x, 1),
    "clipped mean": lambda x: np.clip(x, -information.CLIP, information.CLIP).mean(1),
}


@pytest.mark.parametrize("rule", DETECTORS)
@pytest.mark.parametrize("error", [0.2, 0.05])
def test_sample_complexities_by_drawing(rule, error):
    signal = 0.5
    size = round(information.RULES[rule](signal, 1.5, error))
    size += 1 - size % 2
    repetitions, wrong = 4000, 0
    source = generator(size)
    for _ in range(10):
        wrong += (DETECTORS[rule](draw(1.5, (repetitions // 10, size), source) + signal / 2) < 0).sum()
    assert wrong / repetitions == pytest.approx(error, abs=4 * (error / repetitions) ** 0.5)


def test_the_sample_complexity_of_the_mean_is_that_of_the_criterion():
    (log_size,) = exact_log_sample_complexity(np.array([0.2]), np.array([1.5]), np.ones(1), 0.1)
    assert information.sample_complexity_of_the_mean(0.2, 1.5, 0.1) == pytest.approx(np.exp(log_size), rel=1e-5)


@pytest.mark.parametrize("alpha", [1.3, 1.5, 1.8])
def test_the_sample_complexity_of_the_mean_grows_as_a_power_of_the_error(alpha):
    sample_complexities = [information.sample_complexity_of_the_mean(0.2, alpha, error) for error in (1e-5, 1e-6)]
    assert np.log10(sample_complexities[1] / sample_complexities[0]) == pytest.approx(1 / (alpha - 1), rel=0.01)
    values_of_paper = [information.sample_complexity_of_the_paper(0.2, alpha, error) for error in (1e-5, 1e-6)]
    assert values_of_paper[1] / values_of_paper[0] < 2


def test_other_detectors_need_the_inverse_square_of_the_signal():
    table = (
        information.sample_complexity_table([0.1, 0.05], [0.1], 1.5)
        .set_index(["rule", "signal"])["sample_complexity"]
        .unstack()
    )
    slopes = np.log2(table[0.05] / table[0.1])
    assert slopes["mean"] == pytest.approx(3, abs=1e-6) and slopes["Eq. 36"] == pytest.approx(3, abs=1e-6)
    assert table.loc[["median", "clipped mean", "mean"], 0.1].round().tolist() == [1989, 1667, 70084]
    assert slopes["median"] == pytest.approx(2, abs=0.01) and slopes["clipped mean"] == pytest.approx(2, abs=0.01)


def test_signals_that_few_clipped_draws_show_are_refused():
    with pytest.raises(InputError, match="'signal' must be so weak"):
        information.sample_complexity_of_the_clipped_mean(3.0, 1.5, 0.1)
