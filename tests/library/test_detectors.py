import numpy as np
import pytest
import xarray as xr

from learnability.stats.stable import cumulatives, quantile
from learnability.stats.stable.draws import draw
from learnability.windows.detection import log_sample_complexities
from learnability.windows.detectors import output_law, resampled_margins
from learnability.windows.readings import DetectionOptions

DETECTORS = ("mean", "median", "clipped")


def options(detector="mean", draws=2000, sizes=(25, 100, 400), error_level=0.1):
    return DetectionOptions(
        criterion="resampling",
        detector=detector,
        family_wise=0,
        error_level=error_level,
        draws=draws,
        sample_sizes=sizes,
    )


def of_sequences(values):
    """S over (lag, sequence)."""
    return xr.Dataset({"statistic": (("lag", "sequence"), values)})


def margins_of(values, detector, sizes, draws=2000, seed=7, error_level=0.1):
    settings = options(detector, draws, sizes, error_level)
    return resampled_margins(of_sequences(values), settings, np.random.default_rng(seed))


@pytest.mark.parametrize("detector", DETECTORS)
def test_margins_are_quantiles_of_what_the_detector_makes_of_drawn_values(detector):
    values, sizes = np.random.default_rng(1).standard_t(3, size=(3, 500)), (7, 30, 900)
    margins = margins_of(values, detector, sizes, draws=8000)
    for lag, law in enumerate(values):
        cut = np.clip(law, *np.quantile(law, [0.05, 0.95])) / 0.9
        of, drawn_from = {"mean": (np.mean, law), "median": (np.median, law), "clipped": (np.mean, cut)}[detector]
        for row, size in enumerate(sizes):
            samples = np.random.default_rng(8).choice(drawn_from, size=(8000, size))
            errors = of(samples, axis=1) - of(drawn_from)
            assert margins[row, lag] == pytest.approx(-np.quantile(errors, 0.1), rel=0.1)


@pytest.mark.parametrize("detector", DETECTORS)
@pytest.mark.parametrize("alpha", [1.3, 1.7, 2.0])
def test_a_detector_spreads_as_its_law_says(detector, alpha):
    size, repetitions = 400, 4000
    samples = 2.5 * draw(alpha, (repetitions, size), np.random.default_rng(3))
    cut = 2.5 * quantile(0.95, alpha)
    outputs = {
        "mean": samples.mean(1),
        "median": np.median(samples, 1),
        "clipped": np.clip(samples, -cut, cut).mean(1) / 0.9,
    }
    low, high = np.quantile(outputs[detector], [0.1, 0.9])
    index, scale = output_law(detector, np.array([alpha]), np.array([2.5]))
    width = 2 * quantile(0.9, float(index[0])) * scale[0] * size ** (1 / index[0] - 1)
    assert high - low == pytest.approx(width, rel=0.06)


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
def test_sample_complexities_of_robust_detectors_grow_as_the_inverse_square_of_the_signal(detector):
    signal = np.array([0.1, 0.01])
    sample_complexities = log_sample_complexities(signal, np.full(2, 1.4), np.ones(2), None, None, options(detector))
    for sample_complexity in sample_complexities.values():
        assert sample_complexity[1] - sample_complexity[0] == pytest.approx(2 * np.log(10), rel=1e-9)


@pytest.mark.parametrize("detector", DETECTORS)
def test_resampling_of_a_normal_law_agrees_with_its_closed_form(detector):
    alpha, sizes = 2.0, (50, 100, 200, 400, 800)
    margins = margins_of(draw(alpha, (1, 20_000), np.random.default_rng(6)), detector, sizes)
    index, scale = output_law(detector, np.array([alpha]), np.array([1.0]))
    expected = quantile(0.9, float(index[0])) * scale * np.array(sizes) ** (1 / index - 1)
    np.testing.assert_allclose(margins[:, 0], expected, rtol=0.1)


def test_resampling_counts_the_errors_of_a_decision_at_half_the_signal():
    values = np.random.default_rng(8).standard_t(3, size=(1, 500))
    margin = margins_of(values, "mean", (60,), draws=4000).item()
    generator = np.random.default_rng(10)
    for signal, low, high in ((2 * margin, 0.08, 0.12), (3 * margin, 0.0, 0.06), (margin, 0.2, 0.5)):
        samples = generator.choice(values[0] - values.mean() + signal, size=(20_000, 60))
        assert low <= (samples.mean(1) < signal / 2).mean() <= high


def test_the_sample_complexity_by_resampling_is_the_first_size_whose_margin_is_below_half_the_signal():
    margins = np.array([[3.0, 3.0], [2.0, 2.0], [1.0, 1.0]])
    sample_complexities = log_sample_complexities(
        np.array([4.0, 1.9]), np.full(2, 1.5), np.ones(2), None, margins, options()
    )
    assert np.exp(sample_complexities["resampling"]).tolist() == [pytest.approx(100), np.inf]
