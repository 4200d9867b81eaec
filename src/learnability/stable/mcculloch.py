"""McCulloch's quantile estimator of the SαS law (McCulloch 1986), symmetric case, from exact quantiles.

    ν = (q95 - q05) / (q75 - q25) -> α̂,      σ̂ = (q75 - q25) / ν_c(α̂),      location = median

ν_c(α) is the interquartile range of the standard law. ν and ν_c come from the law itself, not from printed tables.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float
from scipy.interpolate import CubicSpline

from learnability.errors import require
from learnability.stable.law import TAIL_INDEX_RANGE, quantile

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
    spread: CubicSpline
    index: CubicSpline
    ends: tuple[float, float]


@lru_cache(maxsize=1)
def _table() -> _Table:
    """ν_c(α) and α(ν), interpolated between exact values on a grid of α."""
    grid = np.linspace(*TAIL_INDEX_RANGE, 121)
    spread = np.array([2 * quantile(0.75, alpha) for alpha in grid])
    ratio = np.array([2 * quantile(0.95, alpha) for alpha in grid]) / spread
    index = CubicSpline(ratio[::-1], grid[::-1])
    return _Table(CubicSpline(grid, spread), index, (ratio[-1], ratio[0]))


def interquartile_range(alpha: Float[np.ndarray, "..."] | float) -> Float[np.ndarray, "..."]:
    """ν_c(α) = q75 - q25 of the standard law; NaN at NaN."""
    return np.asarray(_table().spread(alpha))


def fit_stable(sample: Float[np.ndarray, "... draw"]) -> StableFit:
    """Fit (α, σ, location) along the last axis.

    Shift- and scale-equivariant. α̂ < 2 alone does not show infinite variance: any law with tails heavier than the
    normal's between its 5 % and 95 % points gives it.

    Raises:
        InputError: for fewer than 20 draws, where the 5 % point is no quantile of the sample.
    """
    require(sample.shape[-1] >= 20, "sample", "of at least 20 draws", sample.shape[-1])
    finite = np.isfinite(sample).all(-1, keepdims=True)
    found = np.quantile(np.where(finite, sample, 0.0), LEVELS, axis=-1)
    return fit_quantiles(np.where(finite[..., 0], found, np.nan))


def fit_quantiles(found: Float[np.ndarray, "level ..."]) -> StableFit:
    """The same from the quantiles of a sample at `LEVELS`; NaN where there is none."""
    table = _table()
    q05, q25, median, q75, q95 = found
    spread = q75 - q25
    degenerate = ~(spread > 0)
    ratio = (q95 - q05) / np.where(degenerate, np.nan, spread)
    low, high = table.ends
    alpha = np.clip(table.index(np.clip(ratio, low, high)), *TAIL_INDEX_RANGE)
    clipped = (ratio < low) | (ratio > high)
    location = np.where(degenerate, np.nan, median)
    return StableFit(alpha, spread / table.spread(alpha), location, spread, clipped, degenerate)
