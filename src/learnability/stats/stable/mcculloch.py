"""McCulloch's quantile estimator of the SαS law (McCulloch 1986), symmetric case, from exact quantiles.

    ν = (q95 - q05) / (q75 - q25) -> α̂,      σ̂ = (q75 - q25) / ν_c(α̂),      location = median

ν_c(α) is the interquartile range of the standard law. ν and ν_c come from the law itself, not from printed tables.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy  # whose parts are loaded where they are used
from jaxtyping import Bool, Float

from learnability.core.errors import require
from learnability.stats.stable.law import TAIL_INDEX_RANGE, quantile

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)


class StableFit(NamedTuple):
    """A fit for each leading index of the sample.

    Args:
        alpha: tail index α̂ in [0.8, 2].
        scale: σ̂, in the sample's unit.
        location: the median, in the sample's unit.
        spread: interquartile range, in the sample's unit; NaN if the sample has NaN or infinity.
        clipped: ν lies outside what the law can give, so that α̂ sits at an end of its range.
        degenerate: no fit: NaN or infinity in the sample, or a zero interquartile range; the numbers are NaN.
    """

    alpha: Float[np.ndarray, "..."]
    scale: Float[np.ndarray, "..."]
    location: Float[np.ndarray, "..."]
    spread: Float[np.ndarray, "..."]
    clipped: Bool[np.ndarray, "..."]
    degenerate: Bool[np.ndarray, "..."]


class _Table(NamedTuple):
    spread: "scipy.interpolate.CubicSpline"
    index: "scipy.interpolate.CubicSpline"
    ends: tuple[float, float]


@lru_cache(maxsize=1)
def _table() -> _Table:
    """ν_c(α) and α(ν), interpolated between exact values on a grid of α."""
    grid = np.linspace(*TAIL_INDEX_RANGE, 121)
    spread = np.array([2 * quantile(0.75, alpha) for alpha in grid])
    ratio = np.array([2 * quantile(0.95, alpha) for alpha in grid]) / spread
    index = scipy.interpolate.CubicSpline(ratio[::-1], grid[::-1])
    return _Table(scipy.interpolate.CubicSpline(grid, spread), index, (ratio[-1], ratio[0]))


def interquartile_range(alpha: Float[np.ndarray, "..."] | float) -> Float[np.ndarray, "..."]:
    """ν_c(α) = q75 - q25 of the standard law; NaN at NaN.

    Raises:
        InputError: for α out of range, where the table behind it would be continued.
    """
    low, high = TAIL_INDEX_RANGE
    least, most = np.min(alpha, initial=high), np.max(alpha, initial=low)
    require(not (least < low or most > high), "alpha", f"in [{low}, {high}]", [float(least), float(most)])
    return np.asarray(_table().spread(alpha))


def fit_stable(sample: Float[np.ndarray, "... draw"], floor: float = 0.0, least: float = 0.8) -> StableFit:
    """Fit (α, σ, location) along the last axis.

    Args:
        sample: draws along the last axis.
        floor: added to the denominator of ν, in the sample's unit.
        least: an α̂ below this is put there.

    Shift- and scale-equivariant. α̂ < 2 alone does not show infinite variance: any law with tails heavier than the
    normal's between its 5 % and 95 % points gives it.

    Raises:
        InputError: for fewer than 20 draws, where the 5 % point is no quantile of the sample.
    """
    require(sample.shape[-1] >= 20, "sample", "of at least 20 draws", sample.shape[-1])
    finite = np.isfinite(sample).all(-1, keepdims=True)
    quantiles = _quantiles(np.sort(np.where(finite, sample, 0.0), axis=-1))
    return fit_quantiles(np.where(finite[..., 0], quantiles, np.nan), floor, least)


def _quantiles(sorted_values: Float[np.ndarray, "... draw"]) -> Float[np.ndarray, "level ..."]:
    """Quantiles at `LEVELS`, linear between draws; a sort is faster than the partition of `np.quantile`."""
    place = np.array(LEVELS) * (sorted_values.shape[-1] - 1)
    below = place.astype(int)
    above = np.minimum(below + 1, sorted_values.shape[-1] - 1)
    low, high = (np.moveaxis(sorted_values[..., index], -1, 0) for index in (below, above))
    share = (place - below).reshape(-1, *[1] * (sorted_values.ndim - 1))
    return low + share * (high - low)


def fit_quantiles(quantiles: Float[np.ndarray, "level ..."], floor: float = 0.0, least: float = 0.8) -> StableFit:
    """The fit of `fit_stable` from the quantiles of a sample at `LEVELS`; NaN where there is none."""
    table = _table()
    q05, q25, median, q75, q95 = quantiles
    spread = q75 - q25
    degenerate = ~(spread > 0)
    ratio = (q95 - q05) / (np.where(degenerate, np.nan, spread) + floor)
    low, high = table.ends
    inside = table.index(np.clip(ratio, low, high))
    # The spline meets its end points only to the last digit, which depends on the processor.
    alpha = np.select([ratio >= high, ratio <= low], TAIL_INDEX_RANGE, inside)
    alpha = np.clip(alpha, max(least, TAIL_INDEX_RANGE[0]), TAIL_INDEX_RANGE[1])
    is_clipped = (ratio < low) | (ratio > high)
    location = np.where(degenerate, np.nan, median)
    return StableFit(alpha, spread / table.spread(alpha), location, spread, is_clipped, degenerate)
