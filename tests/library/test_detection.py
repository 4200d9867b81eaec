from dataclasses import asdict, replace

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy import stats

from learnability.core.errors import InputError
from learnability.stats.stable import location_information, location_informations, quantile
from learnability.stats.stable.draws import draw
from learnability.windows.detection import (
    CLOSED_FORM,
    concentration_exponent,
    contiguous_horizon,
    detectability_threshold,
    estimate_sample_complexity,
    exact_log_sample_complexity,
    fano_log_sample_complexity,
    horizon,
    learnability_window,
    on_grid,
    snr_log_sample_complexity,
)
from learnability.windows.detectors import resampled_margins
from learnability.windows.readings import DetectionOptions

SIZES = (25, 50, 100, 400, 1600)
OPTIONS = DetectionOptions(criterion="fano", family_wise=0, draws=100, sample_sizes=SIZES)
LAGS = [4, 8, 12, 16]
INF = np.inf


def arrays(*values):
    return (np.array([value]) for value in values)


def noise(**columns):
    """A table of noise fits; what is not given is 1, α is 1.5."""
    plain = {"lag": LAGS, "signal": 1.0, "alpha": 1.5, "scale": 1.0, "information": 0.428097, "sequences": 100}
    return pd.DataFrame(plain | columns)


@pytest.mark.parametrize(
    ("sample_complexity", "size", "largest", "contiguous"),
    [
        ([25, 50, 100, 400], 100, 12, 12),
        ([25, 50, 100, 400], 400, 16, 16),
        ([25, 50, 100, 400], 24, 0, 0),
        ([25, INF, 100, 400], 100, 12, 4),
        ([INF, 50, 25, INF], 50, 12, 0),
        ([25, 50, INF, INF], 12800, 8, 8),
        ([INF, INF, INF, INF], 12800, 0, 0),
        ([50, 50, 50, 50], 50, 16, 16),
    ],
)
def test_horizons_of_sample_complexities_made_by_hand(sample_complexity, size, largest, contiguous):
    assert horizon(LAGS, np.array(sample_complexity, dtype=float), size) == largest
    assert contiguous_horizon(LAGS, np.array(sample_complexity, dtype=float), size) == contiguous


@pytest.mark.parametrize("alpha", [1.1, 1.5, 1.9, 2.0])
@pytest.mark.parametrize("error_level", [0.01, 0.1, 0.3])
def test_fano_is_equation_36(alpha, error_level):
    sigma, delta, c = 0.7, 0.02, location_information(alpha) / 2
    expected = (sigma / (np.sqrt(c) * delta)) ** (alpha / (alpha - 1)) * np.log(1 / (2 * error_level)) ** (
        alpha / (2 * (alpha - 1))
    )
    log_size = fano_log_sample_complexity(*arrays(delta, alpha, sigma, 2 * c), error_level)
    assert log_size.item() == pytest.approx(np.log(expected), rel=1e-12)


def test_fano_in_the_gaussian_case():
    # I = 1/2 at α = 2: N = (σ/Δ)² · 4 log(1/2ε); with σ/Δ = 10 and ε = 0.1, 400 log 5.
    log_size = fano_log_sample_complexity(*arrays(0.1, 2.0, 1.0, 0.5), 0.1)
    assert np.exp(log_size.item()) == pytest.approx(643.775, abs=1e-3)


def test_snr_is_reached_at_the_sample_complexity_it_names():
    delta, alpha, sigma = np.array([0.01, 0.2]), np.array([1.4, 2.0]), np.array([1.0, 3.0])
    n = np.exp(snr_log_sample_complexity(delta, alpha, sigma, 0.1))
    np.testing.assert_allclose(delta * n ** (1 - 1 / alpha) / sigma, 0.1, rtol=1e-12)


@pytest.mark.parametrize("threshold", [0.1, 20])
def test_snr_finds_the_first_size_of_the_grid_at_which_the_ratio_of_amplitudes_exceeds_the_threshold(threshold):
    table = noise(signal=[3.0, 0.7, 0.04, 1e-4], alpha=[2.0, 1.6, 1.3, 1.5], scale=[1.0, 0.3, 0.02, 1.0])
    options = replace(OPTIONS, snr_threshold=threshold)
    sizes = estimate_sample_complexity(table, options).query("criterion == 'snr'")["sample_complexity"]
    expected = []
    for row in table.itertuples():
        ratios = {size: row.signal * size ** (1 - 1 / row.alpha) / row.scale for size in SIZES}
        expected.append(next((size for size, ratio in ratios.items() if ratio > threshold), INF))
    assert sizes.tolist() == expected
    assert INF in expected and len(set(expected)) > 1


def test_exact_in_the_gaussian_case():
    # Variance 2σ² at α = 2: P(mean < 0) = ε at N = (2 z √2 σ/Δ)².
    log_size = exact_log_sample_complexity(*arrays(0.1, 2.0, 1.0), 0.1)
    assert np.exp(log_size.item()) == pytest.approx((2 * 1.2815515655 * np.sqrt(2) * 10) ** 2, rel=1e-5)


def test_the_mean_errs_as_often_as_the_exact_sample_complexity_says():
    # α = 1.5, Δ = 0.4 σ, N = 800: 12 %.
    assert np.exp(exact_log_sample_complexity(*arrays(0.4, 1.5, 1.0), 0.12).item()) == pytest.approx(800, rel=0.05)
    signal = 2 * quantile(0.9, 1.5) / 4  # κ = 3: N = 4³
    assert exact_log_sample_complexity(*arrays(signal, 1.5, 1.0), 0.1).item() == pytest.approx(np.log(64), abs=1e-5)
    means = stats.levy_stable.rvs(1.5, 0, size=(20_000, 64), random_state=1).mean(1)
    assert (means < -signal / 2).mean() == pytest.approx(0.1, abs=4 * np.sqrt(0.09 / 20_000))


@pytest.mark.parametrize("level", [1e-2, 1e-4, 1e-9])
def test_small_error_levels_have_a_sample_complexity_at_any_tail_index(level):
    alpha = np.array([1.05, 1.3, 1.7, 1.99, 1.9999, 2.0])
    sample_complexities = exact_log_sample_complexity(np.full(6, 0.1), alpha, np.ones(6), level)
    by_hand = [np.log(-20 * quantile(level, a)) * a / (a - 1) for a in alpha.tolist()]
    np.testing.assert_allclose(sample_complexities, by_hand, rtol=1e-5)
    assert (sample_complexities > exact_log_sample_complexity(np.full(6, 0.1), alpha, np.ones(6), 2 * level)).all()
    table = estimate_sample_complexity(noise(alpha=alpha[1:5]), replace(OPTIONS, error_level=level))
    assert np.isfinite(table["log_sample_complexity"]).all()


@pytest.mark.parametrize(("alpha", "low", "high"), [(1.6, 0.45, 0.75), (2.0, 0.9, 1.1)])
def test_resampling_asks_too_little_of_the_mean_where_tails_are_heavy(alpha, low, high):
    values, size = draw(alpha, (60, 500), np.random.default_rng(2)), 400
    statistic = xr.Dataset({"statistic": (("lag", "sequence"), values)})
    margins = resampled_margins(statistic, replace(OPTIONS, draws=500, sample_sizes=(size,)), np.random.default_rng(3))
    law = np.array([quantile(0.9, alpha)]) * size ** (1 / alpha - 1)
    assert low <= np.median(margins / law) ** (alpha / (alpha - 1)) <= high


def test_a_lag_counts_only_if_the_bound_of_its_mean_is_above_zero():
    fits = noise(lower=[0.1, 0.0, -0.1, np.nan])
    estimates = estimate_sample_complexity(fits, replace(OPTIONS, family_wise=0.05))
    for _, rows in estimates.groupby("criterion"):
        assert np.isfinite(rows["log_sample_complexity"]).tolist() == [True, False, False, False]
    assert np.isfinite(estimate_sample_complexity(fits, OPTIONS)["log_sample_complexity"]).all()


def test_concentration_exponent():
    np.testing.assert_allclose(concentration_exponent(np.array([1.5, 1.25, 2.0])), [3, 5, 2], rtol=1e-14)


@pytest.mark.parametrize("alpha", [1.0, 0.8, 2.1, np.nan])
def test_without_a_mean_there_is_no_concentration(alpha):
    with pytest.raises(InputError, match=r"'alpha' must be in \(1, 2\]"):
        concentration_exponent(np.array([1.5, alpha]))


@pytest.mark.parametrize("level", [0.0, 0.5, -0.1, 0.9, np.nan])
def test_error_levels_out_of_range_are_refused(level):
    with pytest.raises(InputError, match="'error_level' must be in"):
        fano_log_sample_complexity(*arrays(0.1, 2.0, 1.0, 0.5), level)
    with pytest.raises(InputError, match="'error_level' must be in"):
        exact_log_sample_complexity(*arrays(0.1, 2.0, 1.0), level)
    with pytest.raises(InputError, match="'error_level' must be in"):
        replace(OPTIONS, error_level=level)


def test_other_settings_out_of_range_are_refused():
    for threshold in (0.0, -1.0):
        with pytest.raises(InputError, match="'threshold' must be positive"):
            snr_log_sample_complexity(*arrays(0.1, 2.0, 1.0), threshold)
        with pytest.raises(InputError, match="'snr_threshold' must be positive"):
            replace(OPTIONS, snr_threshold=threshold)
    for sizes in ((), (0, 25), (50, 25), (25, 25)):
        with pytest.raises(InputError, match="'sample_sizes' must be"):
            replace(OPTIONS, sample_sizes=sizes)
    for level in (-0.1, 0.5, np.nan):
        with pytest.raises(InputError, match=r"'family_wise' must be in \[0, 0\.5\)"):
            replace(OPTIONS, family_wise=level)
    with pytest.raises(InputError, match="'draws' must be at least 100"):
        replace(OPTIONS, draws=99)
    for key in ("criterion", "detector", "signal"):
        with pytest.raises(InputError, match=f"'{key}' must be one of .* Got 'magic'"):
            DetectionOptions(**asdict(OPTIONS) | {key: "magic"})


def test_sample_complexities_go_up_to_the_next_size_of_the_grid():
    sample_complexities = np.log([1e-9, 25, 25.01, 49.99, 50, 1600, 1600.01])
    assert on_grid(sample_complexities, SIZES).tolist() == [25, 25, 50, 50, 50, 1600, INF]
    assert on_grid(np.array([-INF, INF]), SIZES).tolist() == [25, INF]


@pytest.mark.parametrize(
    "hopeless",
    [
        {"signal": 0.0},
        {"scale": 0.0},
        {"alpha": 1.0},
        {"alpha": 0.8, "information": np.nan},
        {"signal": np.nan, "alpha": np.nan, "scale": np.nan, "information": np.nan},
    ],
    ids=["no signal", "no noise", "alpha 1", "alpha 0.8", "degenerate"],
)
def test_lags_without_signal_mean_or_fit_need_infinitely_many_sequences(hopeless):
    columns = {name: [default, value] for name, value in hopeless.items() for default in [noise()[name][0]]}
    table = estimate_sample_complexity(noise(lag=[4, 8], **columns), OPTIONS)
    assert set(table["criterion"]) == set(CLOSED_FORM)
    for _, rows in table.groupby("criterion"):
        assert np.isinf(rows["sample_complexity"]).tolist() == [False, True]
        assert np.isinf(rows["log_sample_complexity"]).tolist() == [False, True]


def test_each_criterion_has_its_rows_and_keeps_the_noise():
    signal = np.array([1.0, 0.5, 0.2, 0.1])
    fits = noise(signal=signal)
    alpha, scale = fits["alpha"].to_numpy(), fits["scale"].to_numpy()
    table = estimate_sample_complexity(fits, OPTIONS).set_index("criterion")
    expected = {
        "fano": fano_log_sample_complexity(signal, alpha, scale, location_informations(alpha), 0.1),
        "snr": snr_log_sample_complexity(signal, alpha, scale, 0.1),
        "exact": exact_log_sample_complexity(signal, alpha, scale, 0.1),
    }
    for criterion, log_sample_complexity in expected.items():
        rows = table.loc[criterion].reset_index(drop=True)
        np.testing.assert_allclose(rows["log_sample_complexity"], log_sample_complexity, rtol=1e-14)
        assert rows["sample_complexity"].tolist() == on_grid(log_sample_complexity, SIZES).tolist()
        assert rows["kappa"].tolist() == pytest.approx([3] * 4)
        assert (rows["chosen"] == (criterion == "fano")).all()
        pd.testing.assert_frame_equal(rows[fits.columns], fits)


@pytest.mark.parametrize("alpha", [1.2, 1.5, 2.0])
def test_the_sample_complexity_grows_as_the_envelope_to_minus_kappa(alpha):
    f = np.exp(-np.arange(4) / 1.7)
    table = estimate_sample_complexity(noise(signal=0.3 * f, alpha=alpha), OPTIONS)
    for _, rows in table.groupby("criterion"):
        slopes = np.diff(rows["log_sample_complexity"]) / np.diff(np.log(f))
        np.testing.assert_allclose(slopes, -alpha / (alpha - 1), rtol=1e-12)
        assert rows["kappa"].tolist() == pytest.approx([alpha / (alpha - 1)] * 4)


def test_windows_grow_with_the_number_of_sequences():
    rng = np.random.default_rng(1)
    for _ in range(20):
        fits = noise(signal=rng.uniform(0, 0.5, 4), alpha=rng.uniform(1, 2, 4), scale=rng.uniform(0, 1, 4))
        window = learnability_window(estimate_sample_complexity(fits, OPTIONS), OPTIONS)
        assert len(window) == len(CLOSED_FORM) * len(SIZES)
        for _, rows in window.groupby("criterion"):
            assert rows["sample_size"].tolist() == list(SIZES)
            assert rows["horizon"].is_monotonic_increasing
            assert rows["contiguous_horizon"].is_monotonic_increasing
            assert (rows["contiguous_horizon"] <= rows["horizon"]).all()


def test_the_window_table_reads_each_criterion_for_itself():
    sample_complexities = pd.DataFrame(
        {
            "criterion": ["fano"] * 4 + ["snr"] * 4,
            "lag": LAGS * 2,
            "sequences": 100,
            "sample_complexity": [25, INF, 100, INF, 400, 400, 400, 400],
        }
    )
    window = learnability_window(sample_complexities, OPTIONS).set_index(["criterion", "sample_size"])
    assert window.loc["fano", "horizon"].tolist() == [4, 4, 12, 12, 12]
    assert window.loc["fano", "contiguous_horizon"].tolist() == [4, 4, 4, 4, 4]
    assert window.loc["snr", "horizon"].tolist() == [0, 0, 0, 16, 16]
    assert window.loc["snr", "extrapolated"].tolist() == [False, False, False, True, True]
    assert window.loc["fano", "chosen"].all()
    assert not window.loc["snr", "chosen"].any()


def test_the_threshold_is_the_envelope_at_which_the_sequences_would_do():
    table = pd.DataFrame(
        {
            "envelope": [3.0, 3.0, 2.0, 5.0],
            "kappa": [2.0, 2.0, 3.0, 2.0],
            "log_sample_complexity": np.log([100, 25, 64, 9]),
        }
    )
    table.loc[3, "log_sample_complexity"] = INF
    # ε_th = f̂ (N̂/N)^{1/κ}: more sequences detect a smaller envelope
    np.testing.assert_allclose(detectability_threshold(table, 25), [6, 3, 2 * 64 ** (1 / 3) / 25 ** (1 / 3), INF])
    np.testing.assert_allclose(detectability_threshold(table, 400), [1.5, 0.75, 2 * (64 / 400) ** (1 / 3), INF])


@pytest.mark.parametrize("size", [10, 1600])
def test_at_the_threshold_the_sample_complexity_is_the_size(size):
    f = np.exp(-np.arange(4) / 1.7)
    table = estimate_sample_complexity(noise(signal=0.3 * f, envelope=f, alpha=1.5), OPTIONS)
    for criterion, rows in table.groupby("criterion"):
        threshold = detectability_threshold(rows, size)
        estimates = estimate_sample_complexity(noise(signal=0.3 * threshold, envelope=threshold, alpha=1.5), OPTIONS)
        of_criterion = estimates[estimates["criterion"] == criterion]
        np.testing.assert_allclose(of_criterion["log_sample_complexity"], np.log(size), rtol=1e-10)
    assert set(table["criterion"]) >= set(CLOSED_FORM)


def test_the_threshold_by_fano_is_that_of_equation_38():
    f, size, level = np.exp(-np.arange(4) / 1.7), 50, OPTIONS.error_level
    table = estimate_sample_complexity(noise(signal=0.3 * f, envelope=f, alpha=1.5, scale=2.0), OPTIONS)
    rows = table[table["criterion"] == "fano"]
    information = location_informations(np.array(1.5))
    expected = 2 / (size ** (1 / rows["kappa"]) * 0.3) * np.sqrt(np.log(1 / (2 * level)) / information)
    ratio = detectability_threshold(rows, size) / expected
    np.testing.assert_allclose(ratio, ratio.iloc[0], rtol=1e-10)  # a constant c_α alone
