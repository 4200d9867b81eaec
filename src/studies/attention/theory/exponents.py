"""Powers of T with which ds_T/dh_t goes under uniform attention; `uniform` derives them."""

import numpy as np
from jaxtyping import Complex, Float64

from learnability.core.errors import require, require_one_of

Eigenvalues = Complex[np.ndarray, "*shape"]

HALVES = {"sum": 1.0, "mean": 0.5}
"""Factor of f, and of λ, relative to f = h + c."""
WITHOUT_ZERO = {0.9: 50, 0.97: 5}
"""Largest t, by the largest |λ|, up to which the amplitude A_t(λ) of `uniform` was found to have no zero."""


def exponent(eigenvalues: Eigenvalues, mix: str = "sum") -> Float64[np.ndarray, "*shape"]:
    """e(λ) of |C_k| ~ T^e.

    Args:
        eigenvalues: λ, |λ| ≤ 1; with the mix `sum`, λ ≠ 1.
        mix: `sum`, f = h + c, or `mean`, (h + c)/2.

    Raises:
        InputError: an eigenvalue for which there is no such power.
    """
    require_one_of("mix", mix, HALVES)
    largest = float(np.abs(eigenvalues).max(initial=0))
    require(largest <= 1 + 1e-12, "eigenvalues", "in the unit disc", largest)
    effective = HALVES[mix] * eigenvalues
    require(bool((effective != 1).all()), "eigenvalues", "unequal to 1 with the mix 'sum'", 1)
    real = (effective / (1 - effective)).real
    return np.where(np.abs(effective) > 1 - 1e-12, np.maximum(real - 1, -real), real - 1)
