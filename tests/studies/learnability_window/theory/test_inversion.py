"""Appendix G."""

import numpy as np
import pytest

from learnability.core.errors import InputError
from studies.learnability_window.theory import inversion
from studies.learnability_window.theory.sample_complexity import kappa, log_sample_complexity


@pytest.mark.parametrize("regime", inversion.ENVELOPES)
@pytest.mark.parametrize("alpha", [1.4, 2.0])
def test_inversion_by_trying_every_lag(regime, alpha):
    lag = np.arange(1, 5000)
    sample_complexity = log_sample_complexity(inversion.ENVELOPES[regime](lag.astype(float)), alpha, 0.1)
    for size in (1.0, 60.0, 200.0):
        lags = lag[sample_complexity <= np.log(size)]
        expected = lags.max() if len(lags) else 0
        if expected < lag[-1]:
            assert inversion.invert(regime, size, alpha) == expected


def test_closed_forms_are_within_one_lag_of_inversion():
    table = inversion.inversion_table([1.3, 1.5, 2.0], [1e3, 1e5, 1e7])
    rows = table[np.isfinite(table["horizon"]) & (table["horizon"] < 1e12)]
    assert (np.floor(rows["closed_form"] * (1 + 1e-12)) == rows["horizon"]).all()
    assert len(rows) >= 20


def test_growth_laws_of_the_three_regimes():
    sizes, alpha = np.array([1e6, 1e8]), 1.5
    horizons = {regime: np.array([inversion.invert(regime, n, alpha) for n in sizes]) for regime in inversion.ENVELOPES}
    power = np.log(horizons["polynomial"][1] / horizons["polynomial"][0]) / np.log(100)
    assert power == pytest.approx(1 / (kappa(alpha) * inversion.POWER), rel=0.01)
    steps = np.diff(horizons["exponential"])[0] / np.log(100)
    assert steps == pytest.approx(1 / (kappa(alpha) * np.log(1 / inversion.RATE)), rel=0.01)
    y = inversion.least_envelope(np.array([1e3, 1e5]), alpha)
    inner = np.log(np.log1p(inversion.CLOSED_FORMS["logarithmic"](y)))
    assert np.diff(inner)[0] / np.log(100) == pytest.approx(1 / kappa(alpha), rel=1e-9)


def test_constants_of_a_logarithmic_decay_are_no_factor():
    # Twice the noise divides 1/y by 2: H goes to its square root, not to a multiple.
    alpha, ratios = 1.5, []
    for size in (1e3, 1e4, 1e5):
        y = inversion.least_envelope(np.array([size]), alpha)
        quiet, noisy = (inversion.CLOSED_FORMS["logarithmic"](envelope)[0] for envelope in (y, 2 * y))
        ratios.append(quiet / noisy)
        assert np.log1p(quiet) / np.log1p(noisy) == pytest.approx(2, rel=1e-9)
    assert np.round(ratios[:2]).tolist() == [39, 2585] and ratios[2] > 50 * ratios[1]


def test_regimes_without_a_window_and_without_an_end():
    assert inversion.invert("polynomial", 1.0, 1.3) == 0
    assert inversion.invert("logarithmic", 1e8, 2.0) == np.inf
    with pytest.raises(InputError, match="'regime' must be one of"):
        inversion.invert("linear", 1e3, 1.5)
