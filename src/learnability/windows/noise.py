"""The noise of the matched statistic: its mean and its SαS fit at each lag (paper Sec. 5.3.1)."""

import logging
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pandas as pd
import xarray as xr
from jaxtyping import Bool, Float

from learnability.stats.stable import (
    ESTIMATORS,
    StableFit,
    fit_characteristic_function,
    fit_stable,
    interquartile_range,
    location_informations,
)
from learnability.stats.stable.goodness import stable_law_test
from learnability.windows.draws import Draws, last_draws, noise_draws, statistic_draws
from learnability.windows.readings import NoiseOptions

log = logging.getLogger(__name__)

HEAVY = 1.2
"""Tail index below which N̂ is unreliable."""
REJECTED = 0.05
"""p-value below which the stable law does not hold."""
CLIP = 0.95
"""Clipping cuts draws off at this quantile, and at its opposite."""
TEST_REPETITIONS = 99
"""Samples behind each p-value."""


def fit_noise(statistic: xr.Dataset, options: NoiseOptions) -> pd.DataFrame:
    """Fit S at each lag over all that was sampled or, where the noise is `total`, that gradient, the same at all lags.

    Returns:
        A row for each lag: `mean` of S, `signal` |mean S|, `product` m̄(ℓ) f̂(ℓ), `estimator`, `alpha`, `scale`,
        `location`, `information` I_α̂, `envelope` f̂, `samples` from so many `sequences`, the flags `clipped`,
        `degenerate` (no fit; numbers are NaN), `floored`, and before any floor `spread`, the interquartile range,
        `alpha_unfloored` and `scale_unfloored`.
    """
    means, samples = zip(*((draws.mean(), draws.size) for draws in statistic_draws(statistic)), strict=True)
    law = fit_law(partial(noise_draws, statistic), options)
    fit = StableFit(*(np.broadcast_to(part, len(means)) for part in law))
    below_floor, mean = is_floored(fit.spread, options), np.array(means)
    alpha = np.where(below_floor, 2.0, fit.alpha)
    table = pd.DataFrame(
        {
            "lag": statistic["lag"].to_numpy(),
            "mean": mean,
            "signal": np.abs(mean),
            "product": statistic["product"].to_numpy() if "product" in statistic else np.nan,
            "estimator": options.estimator,
            "alpha": alpha,
            "scale": np.where(below_floor, 0.0, fit.scale),
            "location": fit.location,
            "information": location_informations(alpha),
            "envelope": statistic["envelope"].to_numpy(),
            "samples": samples,
            "sequences": statistic.sizes["sequence"],
            "clipped": fit.clipped & ~below_floor,
            "degenerate": fit.degenerate & ~below_floor,
            "floored": below_floor,
            "spread": fit.spread,
            "alpha_unfloored": fit.alpha,
            "scale_unfloored": fit.scale,
        }
    )
    return table


def warn_of_heavy_tails(noise: pd.DataFrame) -> None:
    """Log one warning if tables of `fit_noise` have tail indices below `HEAVY`, where N̂ is unreliable."""
    heavy = noise.loc[noise["alpha"] < HEAVY, "lag"].nunique()
    if heavy:
        count = noise["lag"].nunique()
        message = "Tail index below %g at %d of %d lags: N̂ may be wrong by many orders; measure more sequences."
        log.warning(message, HEAVY, heavy, count)


def check_law(
    statistic: xr.Dataset, noise: pd.DataFrame, options: NoiseOptions, generator: np.random.Generator
) -> pd.DataFrame:
    """Test the stable law itself at each lag, on one value of each sequence, the last: such values are independent.

    Returns:
        For each lag `distance` (Kolmogorov-Smirnov) and `p_value` of `stats.stable.goodness.stable_law_test`,
        and `unreliable`: the law is rejected at 5 %, or the fit is clipped, degenerate, or has α̂ < 1.2.
    """
    fit = ESTIMATORS[options.estimator]
    tests = [stable_law_test(sample, fit, TEST_REPETITIONS, generator) for sample in last_draws(statistic)]
    distance, p_value = np.broadcast_to(np.array(tests).T, (2, len(noise)))
    weak = noise["clipped"] | noise["degenerate"] | (noise["alpha"] < HEAVY)
    return pd.DataFrame({"distance": distance, "p_value": p_value, "unreliable": weak | (p_value < REJECTED)})


def clipped_tail_index(statistic: xr.Dataset) -> pd.DataFrame:
    """α̂ with and without clipping (Sec. 5.5 iii), from one value of each sequence, the last.

    By regression on the characteristic function: McCulloch's quantiles lie within the points at which draws are cut
    off, 5 % and 95 %, and do not see it.

    Returns:
        For each lag `alpha_regression` of all draws, `alpha_clipped` of the same cut off at those points.
    """
    values = last_draws(statistic)
    cut = np.clip(values, *np.quantile(values, [1 - CLIP, CLIP], axis=-1, keepdims=True))
    samples = {"alpha_regression": values, "alpha_clipped": cut}
    fits = {name: fit_characteristic_function(sample).alpha for name, sample in samples.items()}
    return pd.DataFrame({name: np.broadcast_to(alpha, statistic.sizes["lag"]) for name, alpha in fits.items()})


def is_floored(spread: Float[np.ndarray, "..."], options: NoiseOptions) -> Bool[np.ndarray, "..."]:
    """True where an interquartile range is at most the numerical floor of a reading that has one."""
    return (spread <= options.numerical_floor) & (options.numerical_floor > 0)


def fit_law(draws: Callable[[], Iterator[Draws]], options: NoiseOptions) -> StableFit:
    """The stable law of draws at each lag, over (lag), before any floor.

    Args:
        draws: returns the draws of one lag after the other, whenever it is called.
        options: with a tail index `shared`, α̂ is fitted to all lags together, each centred and scaled by its own
            quartiles; each lag has a scale and a location of its own.
    """
    estimate = _estimator(options)
    fits = [estimate(at_lag.ravel()) for at_lag in draws()]
    by_lag = StableFit(*(np.stack(parts) for parts in zip(*fits, strict=True)))
    usable = ~by_lag.degenerate
    if options.tail_index == "per_lag" or not usable.any():
        return by_lag
    scores = [
        (at_lag.ravel() - location) / spread
        for at_lag, location, spread, fits in zip(draws(), by_lag.location, by_lag.spread, usable, strict=True)
        if fits
    ]
    joint = estimate(np.concatenate(scores))
    alpha = np.where(usable, joint.alpha, np.nan)
    return by_lag._replace(
        alpha=alpha, scale=by_lag.spread / interquartile_range(alpha), clipped=usable & joint.clipped
    )


def _estimator(options: NoiseOptions) -> Callable[[Float[np.ndarray, "... draw"]], StableFit]:
    """The estimator of a reading; McCulloch's with its floor and its least α̂."""
    if options.estimator == "mcculloch":
        return partial(fit_stable, floor=options.numerical_floor, least=options.least_tail_index)
    return ESTIMATORS[options.estimator]
