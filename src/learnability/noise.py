"""The noise of the matched statistic: its mean and its SαS fit at each lag (paper Sec. 5.3.1)."""

import logging
from collections.abc import Callable

import numpy as np
import pandas as pd
import xarray as xr
from jaxtyping import Float

from learnability.readings import NoiseOptions
from learnability.stable import ESTIMATORS, StableFit, interquartile_range, location_informations

log = logging.getLogger(__name__)


def fit_noise(statistic: xr.Dataset, options: NoiseOptions) -> pd.DataFrame:
    """Fit S at each lag over all that was sampled or, where the noise is `total`, that gradient, the same at all lags.

    Returns:
        A row for each lag: `mean` of S, `signal` Δ̂ = |mean S|, `estimator`, `alpha`, `scale`, `location`, `information`
        I_α̂, `envelope` f̂, `samples`, and the flags `clipped`, `degenerate` (no fit; numbers are NaN), `floored`.
    """
    values = _pooled(statistic["statistic"])
    noise = _pooled(statistic["total"].expand_dims("lag")) if "total" in statistic else values
    estimate = ESTIMATORS[options.estimator]
    fit = estimate(noise) if options.tail_index == "per_lag" else _fit_shared(noise, estimate)
    fit = StableFit(*(np.broadcast_to(each, len(values)) for each in fit))
    floored = fit.spread < options.numerical_floor
    alpha, mean = np.where(floored, 2.0, fit.alpha), values.mean(-1)
    table = pd.DataFrame(
        {
            "lag": statistic["lag"].to_numpy(),
            "mean": mean,
            "signal": np.abs(mean),
            "estimator": options.estimator,
            "alpha": alpha,
            "scale": np.where(floored, 0.0, fit.scale),
            "location": fit.location,
            "information": location_informations(alpha),
            "envelope": statistic["envelope"].to_numpy(),
            "samples": values.shape[-1],
            "clipped": fit.clipped & ~floored,
            "degenerate": fit.degenerate & ~floored,
            "floored": floored,
        }
    )
    heavy = table.loc[table["alpha"] < 1.2, "lag"]
    if len(heavy):
        log.warning("Tail index below 1.2 at %d of %d lags: N̂ grows as a power α/(α-1) > 6.", len(heavy), len(table))
    return table


def _pooled(values: xr.DataArray) -> Float[np.ndarray, "lag draw"]:
    array = values.transpose("lag", "sequence", ...).to_numpy()
    return array.reshape(len(array), -1)


def _fit_shared(sample: Float[np.ndarray, "lag draw"], estimate: Callable[..., StableFit]) -> StableFit:
    """One α̂, from all lags together, each centred and scaled by its own quartiles; scales and locations for each."""
    own = estimate(sample)
    usable = ~own.degenerate
    if not usable.any():
        return own
    standardised = (sample[usable] - own.location[usable, None]) / own.spread[usable, None]
    joint = estimate(standardised.ravel())
    alpha = np.where(usable, joint.alpha, np.nan)
    return own._replace(alpha=alpha, scale=own.spread / interquartile_range(alpha), clipped=usable & joint.clipped)
