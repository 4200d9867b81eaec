"""Rank correlations over cells."""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float
from scipy import stats

RESAMPLES = 2000
EQUAL = 9
"""Digits after the point in which two mean scores are the same when they differ by rounding alone."""


def spearman(pairs: Float[np.ndarray, "*draw cell 2"]) -> Float[np.ndarray, "*draw"]:
    """Correlation of ranks; infinite values are ranks too, ties have their mean. NaN for fewer than three cells.

    Example:
        >>> round(float(spearman(np.array([[1, 2], [2, 9], [3, np.inf]]))), 3)
        1.0
    """
    if pairs.shape[-2] < 3:
        return np.full(pairs.shape[:-2], np.nan)
    ranks = stats.rankdata(pairs, axis=-2)
    ranks -= ranks.mean(axis=-2, keepdims=True)
    x, y = ranks[..., 0], ranks[..., 1]
    with np.errstate(invalid="ignore"):  # 0 / 0 where all cells are equal
        return np.asarray((x * y).sum(axis=-1) / np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1)))


def interval(
    pairs: Float[np.ndarray, "cell ..."],
    generator: np.random.Generator | None,
    correlation: Callable[[np.ndarray], np.ndarray] = spearman,
) -> tuple[float, float]:
    """Ends of the 95 % interval of a `correlation` over resampled cells.

    NaN without a generator, for few cells, and for cells that have no correlation.

    Args:
        correlation: over the cells of `pairs`, and of draws of them along a first axis.
    """
    if generator is None or len(pairs) < 3 or np.isnan(correlation(pairs)):
        return np.nan, np.nan
    rhos = correlation(pairs[generator.integers(len(pairs), size=(RESAMPLES, len(pairs)))])
    low, high = np.nanquantile(rhos, [0.025, 0.975])
    return float(low), float(high)
