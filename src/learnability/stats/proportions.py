"""Intervals of proportions."""

import numpy as np
from jaxtyping import Float, Int
from scipy.special import betaincinv

from learnability.core.errors import require

CONFIDENCE = 0.95
Z95 = 1.959964
"""97.5 % point of the standard normal."""


def proportion_interval(
    found: int | Int[np.ndarray, "..."], count: int | Int[np.ndarray, "..."]
) -> Float[np.ndarray, "2 ..."]:
    """Ends of the interval of Clopper and Pearson (1934) for `found` of `count` cases, which covers in 95 % or more.

    They are the quantiles a/2 of Beta(k, n - k + 1) and 1 - a/2 of Beta(k + 1, n - k), a = 1 - 0.95; 0 for k = 0, 1 for
    k = n. Without `scipy.stats`, whose import takes longer than most jobs that need this.

    Raises:
        InputError: for no cases, or a number of them that is negative or above all.
    """
    k, n = np.broadcast_arrays(found, count)
    require(bool((n >= 1).all()), "count", "at least 1", n.tolist())
    inside = (k >= 0) & (k <= n)
    require(bool(inside.all()), "found", f"between 0 and count, {n.tolist()}", k.tolist())
    outside = (1 - CONFIDENCE) / 2
    low = betaincinv(np.maximum(k, 1), n - k + 1, outside)
    high = betaincinv(k + 1, np.maximum(n - k, 1), 1 - outside)
    return np.stack([np.where(k == 0, 0.0, low), np.where(k == n, 1.0, high)])
