"""Rank correlations over cells."""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float
from scipy import stats

RESAMPLES = 2000
EQUAL = 9
"""Digits after the point in which two mean scores are the same when they differ by rounding alone."""


def spearman(pairs: Float[np.ndarray, "cell 2"]) -> float:
    """Correlation of ranks; infinite values are ranks too, ties have their mean. NaN for fewer than three cells.

    Example:
        >>> round(spearman(np.array([[1, 2], [2, 9], [3, np.inf]])), 3)
        1.0
    """
    ranks = stats.rankdata(pairs, axis=0)
    if len(pairs) < 3 or (np.ptp(ranks, axis=0) == 0).any():
        return np.nan
    return float(np.corrcoef(ranks.T)[0, 1])


def interval(
    pairs: Float[np.ndarray, "cell ..."],
    generator: np.random.Generator | None,
    correlation: Callable[[np.ndarray], float] = spearman,
) -> tuple[float, float]:
    """Ends of the 95 % interval of a `correlation` over resampled cells.

    NaN without a generator, for few cells, and for cells that have no correlation.
    """
    if generator is None or len(pairs) < 3 or np.isnan(correlation(pairs)):
        return np.nan, np.nan
    rhos = [correlation(pairs[generator.integers(len(pairs), size=len(pairs))]) for _ in range(RESAMPLES)]
    low, high = np.nanquantile(rhos, [0.025, 0.975])
    return float(low), float(high)
