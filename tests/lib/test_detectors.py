from pathlib import Path

import numpy as np
import pytest
import xarray as xr
import yaml

from learnability.detection import log_needs
from learnability.detectors import OUTPUTS, output_law, resampled_margins
from learnability.readings import DetectionOptions
from learnability.stable import cumulatives, quantile
from learnability.stable.draws import draw

DETECTORS = ("mean", "median", "clipped")
CONFIG = yaml.safe_load((Path(__file__).parents[2] / "config" / "config.yaml").read_text(encoding="utf-8"))


def options(detector="mean", draws=2000, sizes=(25, 100, 400), error_level=0.1):
    return DetectionOptions("resampling", detector, "mean", 0, error_level, 0.1, draws, sizes)


def of_sequences(values):
    """S over (lag, sequence)."""
    return xr.Dataset({"statistic": (("lag", "sequence"), values)})


@pytest.mark.parametrize("detector", DETECTORS)
@pytest.mark.parametrize("alpha", [1.3, 1.7, 2.0])
def test_a_detector_spreads_as_its_law_says(detector, alpha):
    size, repetitions = 400, 4000
    drawn = 2.5 * draw(alpha, (repetitions, size), np.random.default_rng(3))
    law = 2.5 * draw(alpha, 200_000, np.random.default_rng(4))
    low, high = np.quantile(OUTPUTS[detector](drawn, law), [0.1, 0.9])
    index, scale = output_law(detector, np.array([alpha]), np.array([2.5]))
    width = 2 * quantile(0.9, float(index[0])) * scale[0] * size ** (1 / index[0] - 1)
    assert high - low == pytest.approx(width, rel=0.06)


@pytest.mark.parametrize("detector", DETECTORS)
def test_a_detector_shows_a_shift_whole(detector):
    law = draw(1.6, 200_000, np.random.default_rng(5))
    shifted = OUTPUTS[detector](law + 0.05, law)
    assert shifted == pytest.approx(0.05, rel=0.03)


def test_where_the_mean_errs_in_12_percent_the_median_errs_in_less_than_1_per_mille():
    # α = 1.5, Δ = 0.4 σ, N = 800.
    signal, alpha, scale = np.array([0.4]), np.array([1.5]), np.array([1.0])
    errors = {}
    for detector in ("mean", "median"):
        index, spread = output_law(detector, alpha, scale)
        ratio = signal / 2 / (spread * 800 ** (1 / index - 1))
        errors[detector] = 1 - cumulatives(ratio, index)
    assert errors["mean"].item() == pytest.approx(0.12, abs=0.01)
    assert errors["median"].item() == pytest.approx(0.0008, abs=0.0004)


@pytest.mark.parametrize("detector", ["median", "clipped"])
def test_needs_of_robust_detectors_grow_as_the_inverse_square_of_the_signal(detector):
    signal = np.array([0.1, 0.01])
    needs = log_needs(signal, np.full(2, 1.4), np.ones(2), None, None, options(detector))
    for need in needs.values():
        assert need[1] - need[0] == pytest.approx(2 * np.log(10), rel=1e-9)


@pytest.mark.parametrize("detector", DETECTORS)
def test_resampling_of_a_normal_law_agrees_with_its_closed_form(detector):
    alpha, sizes = 2.0, (50, 100, 200, 400, 800)
    noise = of_sequences(draw(alpha, (1, 20_000), np.random.default_rng(6)))
    margins = resampled_margins(noise, options(detector, sizes=sizes), np.random.default_rng(7))
    index, scale = output_law(detector, np.array([alpha]), np.array([1.0]))
    expected = quantile(0.9, float(index[0])) * scale * np.array(sizes) ** (1 / index - 1)
    np.testing.assert_allclose(margins[:, 0], expected, rtol=0.1)


def test_resampling_counts_the_errors_of_a_decision_at_half_the_signal():
    values = np.random.default_rng(8).standard_t(3, size=(1, 500))
    chosen = options(draws=4000, sizes=(60,))
    margin = resampled_margins(of_sequences(values), chosen, np.random.default_rng(9)).item()
    others = np.random.default_rng(10)
    for signal, low, high in ((2 * margin, 0.08, 0.12), (3 * margin, 0.0, 0.06), (margin, 0.2, 0.5)):
        drawn = others.choice(values[0] - values.mean() + signal, size=(20_000, 60))
        assert low <= (drawn.mean(1) < signal / 2).mean() <= high


def test_the_need_by_resampling_is_the_first_size_whose_margin_is_below_half_the_signal():
    margins = np.array([[3.0, 3.0], [2.0, 2.0], [1.0, 1.0]])
    needs = log_needs(np.array([4.0, 1.9]), np.full(2, 1.5), np.ones(2), None, margins, options())
    assert np.exp(needs["resampling"]).tolist() == [pytest.approx(100), np.inf]
