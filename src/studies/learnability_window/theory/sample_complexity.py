"""The paper's sample complexity for noise of scale 1 and one tail index (Eqs. 36-37, 67)."""

import numpy as np
from jaxtyping import Float

from learnability.stats.stable import location_information
from learnability.windows.detection import concentration_exponent, fano_log_sample_complexity

Array = Float[np.ndarray, "..."]
NAMES = ["architecture", "seed", "direction"]
"""Columns that name the network of a measured N̂ and the direction w."""


def kappa(alpha: float) -> float:
    """κ_α = α/(α-1) (Eq. 37)."""
    return float(concentration_exponent(np.array([alpha]))[0])


def log_sample_complexity(signal: Array, alpha: float, error: float) -> Array:
    """log N of Eq. 36 at σ = 1; ∞ without a signal."""
    signal = np.asarray(signal, dtype=np.float64)
    law, ones = np.full(signal.shape, alpha), np.ones(signal.shape)
    with np.errstate(divide="ignore"):
        return fano_log_sample_complexity(signal, law, ones, location_information(alpha) * ones, error)
