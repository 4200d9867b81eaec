import logging

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy import stats

from learnability.core.errors import InputError
from learnability.stats.stable import ESTIMATORS, fit_stable, interquartile_range, location_information
from learnability.windows.detection import estimate_sample_complexity
from learnability.windows.noise import check_law, fit_noise, warn_of_heavy_tails
from learnability.windows.readings import DetectionOptions, NoiseOptions

PLAIN = NoiseOptions(tail_index="per_lag")
SHARED_INDEX = NoiseOptions()
FLOOR = NoiseOptions(tail_index="per_lag", numerical_floor=1e-12)
DETECTION = DetectionOptions(criterion="fano", family_wise=0, draws=100, sample_sizes=(25, 50))


def statistic(*rows):
    """S over (lag, sequence, time), a row of values for each lag."""
    values = np.stack(rows).reshape(len(rows), 20, -1)
    return xr.Dataset(
        {
            "statistic": (("lag", "sequence", "time"), values),
            "envelope": ("lag", np.exp(-np.arange(len(rows)))),
        },
        coords={"lag": 4 * np.arange(1, len(rows) + 1)},
    )


@pytest.fixture
def draws():
    return np.random.default_rng(1).standard_t(3, size=(3, 400))


def test_each_lag_is_fitted_over_all_its_pairs(draws):
    s = statistic(*draws - 0.5)
    table = fit_noise(s, PLAIN)
    assert table["lag"].tolist() == [4, 8, 12]
    assert (table["samples"] == 400).all()
    assert not table[["clipped", "degenerate", "floored"]].to_numpy().any()
    for row, values in zip(table.itertuples(), draws - 0.5, strict=True):
        fit = fit_stable(values)
        assert (row.alpha, row.scale, row.location) == (fit.alpha, fit.scale, fit.location)
        assert row.signal == pytest.approx(abs(values.mean()), rel=1e-12)
        assert row.information == pytest.approx(location_information(row.alpha), abs=1e-6)
    np.testing.assert_array_equal(table["envelope"], s["envelope"])


def test_a_shared_tail_index_is_fitted_to_all_lags_at_once(draws):
    scales = np.array([[1.0], [1e-3], [1e-40]])
    table = fit_noise(statistic(*scales * draws + scales), SHARED_INDEX)
    apart = fit_noise(statistic(*draws), PLAIN)
    (alpha,) = set(table["alpha"])
    assert apart["alpha"].min() < alpha < apart["alpha"].max()
    quartiles = np.quantile(draws, (0.25, 0.5, 0.75), axis=1)
    standard_draws = (draws - quartiles[1][:, None]) / (quartiles[2] - quartiles[0])[:, None]
    assert alpha == pytest.approx(fit_stable(standard_draws.ravel()).alpha, rel=1e-9)
    expected = (quartiles[2] - quartiles[0]) * scales[:, 0] / interquartile_range(alpha)
    np.testing.assert_allclose(table["scale"], expected, rtol=1e-9)


def test_lags_without_a_fit_do_not_touch_a_shared_tail_index(draws):
    with_nan = np.where(np.arange(400) == 7, np.nan, draws[1])
    table, alone = (
        fit_noise(statistic(draws[0], with_nan, np.ones(400)), SHARED_INDEX),
        fit_noise(statistic(draws[0]), SHARED_INDEX),
    )
    assert table["alpha"][0] == alone["alpha"][0]
    assert table["degenerate"].tolist() == [False, True, True]
    assert table.loc[1:, ["alpha", "scale", "information"]].isna().all(axis=None)
    assert fit_noise(statistic(np.ones(400)), SHARED_INDEX)["degenerate"].all()


def test_total_noise_is_the_same_at_all_lags(draws):
    s = statistic(draws[0] - 0.5, 1e-9 * draws[1])
    s["total"] = (("sequence", "time"), 3 * draws[2].reshape(20, -1))
    table, fit = fit_noise(s, SHARED_INDEX), fit_stable(3 * draws[2])
    np.testing.assert_allclose(table["alpha"], fit.alpha, rtol=1e-12)
    np.testing.assert_allclose(table["scale"], fit.scale, rtol=1e-12)
    np.testing.assert_allclose(table["mean"], [draws[0].mean() - 0.5, 1e-9 * draws[1].mean()], rtol=1e-9)


def test_means_of_sequences_are_draws_like_any_other(draws):
    s = statistic(*draws).mean("time")
    table = fit_noise(s, PLAIN)
    assert (table["samples"] == 20).all()
    np.testing.assert_allclose(table["mean"], draws.mean(1), rtol=1e-9)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_the_chosen_estimator_fits(draws, estimator):
    with_nan, rare = draws[1].copy(), draws[2] * (np.arange(400) < 90)
    with_nan[7] = np.nan
    table = fit_noise(statistic(draws[0], with_nan, rare), NoiseOptions(estimator=estimator, tail_index="per_lag"))
    fit = ESTIMATORS[estimator](draws[0])
    assert table["alpha"][0] == pytest.approx(fit.alpha, rel=1e-13)
    assert table["scale"][0] == pytest.approx(fit.scale, rel=1e-13)
    assert table["clipped"][0] == fit.clipped
    assert table["degenerate"].tolist() == [False, True, True]
    assert table.loc[1:, ["alpha", "scale", "location", "information"]].isna().all(axis=None)


def test_estimators_differ(draws):
    alphas = {
        name: fit_noise(statistic(draws[0]), NoiseOptions(estimator=name, tail_index="per_lag"))["alpha"][0]
        for name in ESTIMATORS
    }
    assert len(set(alphas.values())) == len(ESTIMATORS)


def test_the_order_of_dimensions_does_not_matter(draws):
    s = statistic(*draws)
    assert fit_noise(s.transpose("time", "lag", "sequence"), PLAIN)["alpha"].tolist() == pytest.approx(
        fit_noise(s, PLAIN)["alpha"].tolist(), rel=1e-12
    )


def test_noise_under_the_floor_is_no_noise_and_no_window(draws):
    table = fit_noise(statistic(draws[0], 1e-14 * draws[1], np.zeros(400), 1e-14 + 0 * draws[2]), FLOOR)
    assert table["floored"].tolist() == [False, True, True, True]
    floored_rows = table[table["floored"]]
    assert (floored_rows["alpha"] == 2).all()
    assert (floored_rows["scale"] == 0).all()
    assert not floored_rows[["clipped", "degenerate"]].to_numpy().any()
    sample_complexity = estimate_sample_complexity(table, DETECTION)
    assert (
        sample_complexity.loc[sample_complexity["floored"], ["sample_complexity", "log_sample_complexity"]] == np.inf
    ).all(axis=None)


def test_without_a_floor_tiny_noise_is_noise_like_any_other(draws):
    large, tiny = fit_noise(statistic(draws[0]), PLAIN), fit_noise(statistic(1e-60 * draws[0]), PLAIN)
    assert tiny["alpha"].item() == pytest.approx(large["alpha"].item(), rel=1e-9)
    assert tiny["scale"].item() == pytest.approx(1e-60 * large["scale"].item(), rel=1e-9)
    sample_complexity = [
        estimate_sample_complexity(table, DETECTION)["log_sample_complexity"].tolist() for table in (large, tiny)
    ]
    assert sample_complexity[0] == pytest.approx(sample_complexity[1], rel=1e-9)


def test_degenerate_lags_are_flagged_without_numbers_and_never_detected(draws):
    with_nan = draws[1].copy()
    with_nan[7] = np.nan
    for options in (PLAIN, FLOOR):
        table = fit_noise(statistic(draws[0], with_nan), options)
        assert table["degenerate"].tolist() == [False, True]
        assert table.loc[1, ["alpha", "scale", "location", "information"]].isna().all()
        assert not table.loc[1, ["clipped", "floored"]].any()
        assert (estimate_sample_complexity(table, DETECTION).query("lag == 8")["sample_complexity"] == np.inf).all()
    constant = fit_noise(statistic(draws[0], np.full(400, 3.0)), PLAIN)
    assert constant["degenerate"].tolist() == [False, True]


def test_clipped_fits_are_flagged():
    uniform, heavy = np.linspace(-1, 1, 400), np.linspace(-1, 1, 400) ** 9
    table = fit_noise(statistic(uniform, heavy), PLAIN)
    assert table["clipped"].tolist() == [True, True]
    assert table["alpha"].tolist() == [2.0, 0.8]
    assert np.isnan(table["information"][1])


def test_a_tail_index_below_1_2_warns_with_the_number_of_lags(caplog):
    levels = (np.arange(400) + 0.5) / 400
    rows = [stats.t(freedom).ppf(levels) for freedom in (1.2, 1.3, 1.4, 3.0)]
    with caplog.at_level(logging.WARNING):
        table = fit_noise(statistic(*rows), PLAIN)
        assert table["alpha"].tolist() == pytest.approx([1.119, 1.164, 1.205, 1.530], abs=1e-2)
        assert not caplog.records  # a bootstrap fits a thousand times
        warn_of_heavy_tails(pd.concat([table, table.iloc[:1]]))
        (record,) = caplog.records
        assert "below 1.2 at 2 of 4 lags" in record.getMessage()
        caplog.clear()
        warn_of_heavy_tails(fit_noise(statistic(*rows[2:]), PLAIN))
        assert not caplog.records


@pytest.mark.parametrize(("key", "value"), [("estimator", "moments"), ("tail_index", "guessed")])
def test_options_that_are_not_built_are_refused_by_name(key, value):
    with pytest.raises(InputError, match=f"'{key}' must be one of .*{value}"):
        NoiseOptions(**{key: value})


def test_a_negative_floor_is_refused():
    with pytest.raises(InputError, match="'numerical_floor' must be at least 0"):
        NoiseOptions(numerical_floor=-1e-12)


def test_each_reason_alone_makes_a_law_unreliable():
    rng = np.random.default_rng(3)
    cauchy, two_points = (
        rng.standard_cauchy((5, 300)),
        np.where(rng.random(300) < 0.5, -1, 1) + rng.normal(0, 0.05, 300),
    )
    dataset = xr.Dataset(
        {"statistic": (("lag", "sequence"), np.vstack([cauchy, two_points]))}, coords={"lag": np.arange(1, 7)}
    )
    fits = pd.DataFrame({"clipped": [False] * 6, "degenerate": False, "alpha": 1.5})
    fits.loc[1, "clipped"], fits.loc[2, "degenerate"], fits.loc[3, "alpha"], fits.loc[4, "alpha"] = (
        True,
        True,
        1.19,
        1.2,
    )
    table = check_law(dataset, fits, PLAIN, np.random.default_rng(4))
    assert (table["p_value"][:5] >= 0.05).all() and table["p_value"][5] < 0.05
    assert table["unreliable"].tolist() == [False, True, True, True, False, True]
