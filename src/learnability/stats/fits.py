"""Least-squares fits of decays: exponential (semi-log) and power law (log-log), each saying which lags it used."""

from typing import NamedTuple

import numpy as np
import pandas as pd
import xarray as xr
from jaxtyping import Real

from learnability.core.errors import require

Array = Real[np.ndarray, "..."]

ROUNDING = 1e-14
"""Relative spread below which values count as equal."""


class LineFit(NamedTuple):
    """y ≈ intercept + slope x, with R² and Akaike's criterion n log(RSS/n) + 2·2 (residuals Gaussian)."""

    slope: float
    intercept: float
    r_squared: float
    aic: float
    points: int


def fit_line(x: Array, y: Array) -> LineFit:
    """Least squares over the finite pairs; all NaN with fewer than three or without spread in x.

    A y that is flat up to rounding has slope 0 and R² NaN: there is nothing to explain.
    """
    finite = np.isfinite(x) & np.isfinite(y)
    x, y, count = np.asarray(x)[finite], np.asarray(y)[finite], int(finite.sum())
    if count < 3 or np.ptp(x) == 0:
        return LineFit(np.nan, np.nan, np.nan, np.nan, count)
    if np.ptp(y) <= ROUNDING * np.abs(y).max():
        return LineFit(0.0, float(y.mean()), np.nan, np.nan, count)
    dx, dy = x - x.mean(), y - y.mean()
    slope = float(dx @ dy / (dx @ dx))
    residual = float(((dy - slope * dx) ** 2).sum())
    aic = count * np.log(residual / count) + 4 if residual > 0 else -np.inf
    return LineFit(slope, float(y.mean() - slope * x.mean()), 1 - residual / float(dy @ dy), float(aic), count)


class DecayFit(NamedTuple):
    """A decay law and the lags behind it.

    Args:
        model: `exponential`, f = c e^{-ℓ/τ}, or `power`, f = c ℓ^{-β}.
        parameter: τ (steps) or β.
        constant: c.
        r_squared, aic: of the straight line in semi-log or log-log coordinates.
        first_lag, last_lag, lags: range and number of lags with f > 0.
    """

    model: str
    parameter: float
    constant: float
    r_squared: float
    aic: float
    first_lag: float
    last_lag: float
    lags: int


def fit_exponential(lags: Array, values: Array) -> DecayFit:
    """τ and c of f ≈ c e^{-ℓ/τ} (Sec. 6.1), by a line in (ℓ, log f); τ = ∞ for a flat line."""
    line, first, last = _log_line(lags, values, np.asarray(lags, dtype=np.float64))
    time_scale = -1 / line.slope if line.slope else np.inf
    return DecayFit("exponential", time_scale, np.exp(line.intercept), *line[2:4], first, last, line.points)


def fit_power(lags: Array, values: Array) -> DecayFit:
    """β and c of f ≈ c ℓ^{-β} (Sec. 6.2), by a line in (log ℓ, log f).

    Raises:
        InputError: for a lag that is not above 0, which has no logarithm.
    """
    require(bool((np.asarray(lags) > 0).all()), "lags", "above 0 in a power law", np.min(lags, initial=1).item())
    line, first, last = _log_line(lags, values, np.log(lags))
    return DecayFit("power", -line.slope, np.exp(line.intercept), *line[2:4], first, last, line.points)


def _log_line(lags: Array, values: Array, x: Array) -> tuple[LineFit, float, float]:
    values = np.asarray(values, dtype=np.float64)
    require(values.shape == np.shape(lags), "values", f"of shape {np.shape(lags)}", values.shape)
    positive = np.isfinite(values) & (values > 0)
    line = fit_line(x[positive], np.log(values[positive]))
    positive_lags = np.asarray(lags)[positive]
    return line, *((float(positive_lags.min()), float(positive_lags.max())) if len(positive_lags) else (np.nan, np.nan))


def fit_envelope(table: pd.DataFrame) -> pd.DataFrame:
    """Both laws fitted to f̂(ℓ), a row each, from a table with columns `lag` and `envelope`."""
    lags, f = table["lag"].to_numpy(), table["envelope"].to_numpy()
    return pd.DataFrame([fit_exponential(lags, f), fit_power(lags, f)])


def time_scale_spectrum(rates: xr.Dataset) -> pd.DataFrame:
    """τ_q from |μ^{(q)}_{t,ℓ}| ≈ C_q e^{-ℓ/τ_q} (Sec. 6.1): a row for each unit, in steps."""
    lags, magnitude = rates["lag"].to_numpy(), rates["magnitude"].transpose("unit", "lag").to_numpy()
    table = pd.DataFrame([fit_exponential(lags, values) for values in magnitude])
    table = table.rename(columns={"parameter": "time_scale"}).drop(columns="model")
    return table.assign(unit=rates["unit"].to_numpy())
