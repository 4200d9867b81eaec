"""The number of sequences from which something is learned, from shares that were learned at several."""

import numpy as np
from jaxtyping import Float
from scipy.optimize import isotonic_regression

LEARNED = 0.5
"""Share beyond which something counts as learned."""


def log_threshold(log_sizes: Float[np.ndarray, "size"], shares: Float[np.ndarray, "size"]) -> float:
    """log N from which on a share is above ½.

    Shares are made increasing in N by isotonic regression, and cross ½ between two N by a straight line in log N.

    Args:
        log_sizes: logarithms of N, increasing.
        shares: learned from each N.

    Returns:
        -∞ where the smallest N suffices, ∞ where the largest does not.

    Example:
        >>> log_threshold(np.log([10, 1000]), np.array([0.25, 0.75])) == np.log(100)
        True
        >>> log_threshold(np.log([10, 1000]), np.array([0.1, 0.2])), log_threshold(np.log([10]), np.array([0.9]))
        (inf, -inf)
    """
    increasing = isotonic_regression(shares).x
    above = increasing > LEARNED
    if above.all() or not above.any():
        return -np.inf if above.all() else np.inf
    after = int(above.argmax())
    lower, upper = increasing[after - 1], increasing[after]
    step = log_sizes[after] - log_sizes[after - 1]
    return float(log_sizes[after - 1] + step * (LEARNED - lower) / (upper - lower))


def log_n50(log_thresholds: Float[np.ndarray, "... seed"]) -> Float[np.ndarray, "..."]:
    """log N₅₀: the least N that is no less than the thresholds of at least half of the seeds.

    Example:
        >>> float(log_n50(np.array([3.0, -np.inf, np.inf])))
        3.0
    """
    return np.sort(log_thresholds, -1)[..., (log_thresholds.shape[-1] + 1) // 2 - 1]
