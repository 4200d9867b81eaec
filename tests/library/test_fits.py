import numpy as np
import pytest
import xarray as xr

from learnability.core.errors import InputError
from learnability.stats.fits import fit_envelope, fit_exponential, fit_line, fit_power, time_scale_spectrum
from learnability.transport import envelope_table

LAGS = np.arange(4.0, 129.0, 4.0)


@pytest.fixture
def rates():
    """Two units with e-folding times 2 and 30, so that the envelope is neither law."""
    magnitude = np.stack([0.5 * np.exp(-LAGS / 2), 3 * np.exp(-LAGS / 30)], 1)
    return xr.Dataset(
        {"magnitude": (("lag", "unit"), magnitude)},
        coords={"lag": LAGS.astype(np.int32), "unit": np.arange(2, dtype=np.int32)},
    )


@pytest.mark.parametrize(("tau", "constant"), [(0.85, 64.0), (47.0, 3.0), (-20.0, 1.0)])
def test_a_known_exponential_is_recovered(tau, constant):
    fit = fit_exponential(LAGS, constant * np.exp(-LAGS / tau))
    assert (fit.model, fit.lags, fit.first_lag, fit.last_lag) == ("exponential", 32, 4, 128)
    assert fit.parameter == pytest.approx(tau, rel=1e-10)
    assert fit.constant == pytest.approx(constant, rel=1e-8)
    assert fit.r_squared == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(("beta", "constant"), [(0.9, 5.0), (2.5, 1e-3)])
def test_a_known_power_law_is_recovered(beta, constant):
    fit = fit_power(LAGS, constant * LAGS**-beta)
    assert (fit.model, fit.lags, fit.first_lag, fit.last_lag) == ("power", 32, 4, 128)
    assert fit.parameter == pytest.approx(beta, rel=1e-10)
    assert fit.constant == pytest.approx(constant, rel=1e-8)
    assert fit.r_squared == pytest.approx(1, abs=1e-12)


def test_a_sum_of_exponentials_has_no_time_scale_above_its_slowest():
    generator, lags = np.random.default_rng(0), np.arange(4, 129, 4)
    for _ in range(100):
        time_scales, constants = generator.uniform(0.5, 40, 64), generator.lognormal(0, 2, 64)
        mixture = np.exp(-lags[:, None] / time_scales) @ constants
        assert fit_exponential(lags, mixture).parameter <= time_scales.max()
        assert (-np.diff(np.log(mixture)) >= 4 / time_scales.max()).all()


def test_the_better_law_has_the_smaller_aic():
    noise = np.exp(0.05 * np.random.default_rng(1).standard_normal(len(LAGS)))
    for values, better, worse in (
        (np.exp(-LAGS / 20) * noise, fit_exponential, fit_power),
        (LAGS**-0.9 * noise, fit_power, fit_exponential),
    ):
        assert better(LAGS, values).aic < worse(LAGS, values).aic - 10
        assert better(LAGS, values).r_squared > worse(LAGS, values).r_squared


@pytest.mark.parametrize("fit", [fit_exponential, fit_power])
def test_lags_without_a_positive_value_are_left_out_and_the_rest_is_stated(fit):
    law = np.exp(-LAGS / 20) if fit is fit_exponential else LAGS**-0.9
    values = law.copy()
    values[0], values[3], values[5], values[-2:] = np.nan, 0, -1, 0
    result, expected = fit(LAGS, values), fit(LAGS, law)
    assert (result.first_lag, result.last_lag, result.lags) == (8, 120, 27)
    assert result.parameter == pytest.approx(expected.parameter, rel=1e-10)


def test_infinite_values_are_left_out():
    values = np.exp(-LAGS / 20)
    values[-1] = np.inf
    result = fit_exponential(LAGS, values)
    assert (result.last_lag, result.lags) == (124, 31)


def test_the_smallest_numbers_are_used_as_they_are():
    # 0.3^ℓ at ℓ = 128 is 1e-67: no floor may bend it.
    fit = fit_exponential(LAGS, 0.3**LAGS)
    assert fit.lags == 32
    assert fit.parameter == pytest.approx(-1 / np.log(0.3), rel=1e-10)


@pytest.mark.parametrize("value", [1.0, 0.3, 1e-30, 0.1 + 0.2])
def test_a_flat_line_has_no_time_scale_and_nothing_to_explain(value):
    flat = np.full(len(LAGS), value)
    assert fit_exponential(LAGS, flat).parameter == np.inf
    assert fit_power(LAGS, flat).parameter == 0
    for fit in (fit_exponential(LAGS, flat), fit_power(LAGS, flat)):
        assert fit.constant == pytest.approx(value)
        assert np.isnan(fit.r_squared)


@pytest.mark.parametrize("values", [[1.0, 0.5], [1.0, 0.5, 0.0, 0.0], [0.0] * 5, [np.nan] * 5, []], ids=str)
def test_fewer_than_three_points_give_no_numbers(values):
    values = np.array(values)
    for fit in (fit_exponential, fit_power):
        result = fit(LAGS[: len(values)], values)
        assert np.isnan([result.parameter, result.constant, result.r_squared, result.aic]).all()
        assert result.lags == (values > 0).sum()


def test_lags_and_values_must_match():
    with pytest.raises(InputError, match="'values' must be of shape"):
        fit_exponential(LAGS, np.ones(3))


def test_a_line_is_the_least_squares_one():
    x, noise = np.linspace(0, 3, 20), np.random.default_rng(2).standard_normal(20)
    y = 2 - 3 * x + noise
    line = fit_line(x, y)
    slope, intercept = np.polyfit(x, y, 1)
    residual = ((y - intercept - slope * x) ** 2).sum()
    assert line.slope == pytest.approx(slope, rel=1e-10)
    assert line.intercept == pytest.approx(intercept, rel=1e-10)
    assert line.r_squared == pytest.approx(np.corrcoef(x, y)[0, 1] ** 2, rel=1e-10)
    assert line.aic == pytest.approx(20 * np.log(residual / 20) + 4, rel=1e-10)
    assert line.points == 20


def test_a_line_uses_finite_pairs_only_and_needs_spread():
    x, y = np.arange(6.0), 2 * np.arange(6.0) + 1
    x[1], y[2], y[3] = np.nan, np.inf, -np.inf
    line = fit_line(x, y)
    assert (line.slope, line.intercept, line.points) == (pytest.approx(2), pytest.approx(1), 3)
    assert np.isnan(fit_line(np.ones(5), np.arange(5.0)).slope)


def test_both_laws_are_fitted_to_the_envelope(rates):
    table = fit_envelope(envelope_table(rates))
    f = rates["magnitude"].sum("unit").to_numpy()
    assert table["model"].tolist() == ["exponential", "power"]
    assert table["parameter"].tolist() == [fit_exponential(LAGS, f).parameter, fit_power(LAGS, f).parameter]
    assert (table["lags"] == 32).all()


def test_each_unit_has_its_time_scale(rates):
    for order in (("lag", "unit"), ("unit", "lag")):
        table = time_scale_spectrum(rates.transpose(*order))
        assert table["unit"].tolist() == [0, 1]
        assert table["time_scale"].tolist() == pytest.approx([2, 30], rel=1e-10)
        assert table["constant"].tolist() == pytest.approx([0.5, 3], rel=1e-8)


@pytest.mark.parametrize("lag", [0, -1])
def test_a_power_law_has_no_lag_that_is_not_above_zero(lag):
    with pytest.raises(InputError, match=rf"'lags' must be above 0 in a power law\. Got {lag}"):
        fit_power(np.array([lag, 1, 2, 3]), np.ones(4))
