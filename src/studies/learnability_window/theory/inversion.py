"""Appendix G: the window H_N of three decays of the envelope, by inversion beside its closed form.

    N(ℓ) = k (σ/(m f(ℓ)))^κ,  k = (log(1/2ε)/c_α)^{κ/2}      Eq. 67, here σ = m = 1
    H_N = max{ℓ ≥ 1 : N(ℓ) ≤ N},  so f(H_N) ≥ y = (k/N)^{1/κ}

    logarithmic   f = c/log(1+ℓ)    H = exp(c/y) - 1
    polynomial    f = c ℓ^{-β}      H = (c/y)^{1/β}
    exponential   f = c λ^ℓ         H = log(c/y)/log(1/λ)

with 1/y ∝ N^{1/κ}. In the first, constants stand in the exponent, so that H_N is not known "up to multiplicative
constants" but up to a power.
"""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from jaxtyping import Float

from learnability.core.errors import lookup
from studies.learnability_window.theory.sample_complexity import kappa, log_sample_complexity

Array = Float[np.ndarray, "..."]

ALPHAS = (1.3, 1.5, 1.7, 2.0)
SIZES = np.geomspace(1e2, 1e8, 25)
ERROR = 0.1
AMPLITUDE, POWER, RATE = 2.0, 0.9, 0.98
"""c, β and λ."""
LARGEST = 2**52
"""Lags beyond it are not looked at."""

ENVELOPES: dict[str, Callable[[Array], Array]] = {
    "logarithmic": lambda lag: AMPLITUDE / np.log1p(lag),
    "polynomial": lambda lag: AMPLITUDE * lag**-POWER,
    "exponential": lambda lag: AMPLITUDE * RATE**lag,
}
CLOSED_FORMS: dict[str, Callable[[Array], Array]] = {
    "logarithmic": lambda y: np.expm1(AMPLITUDE / y),
    "polynomial": lambda y: (AMPLITUDE / y) ** (1 / POWER),
    "exponential": lambda y: np.log(AMPLITUDE / y) / np.log(1 / RATE),
}
"""H over the least envelope y."""


def invert(regime: str, size: float, alpha: float) -> float:
    """H_N by bisection over whole lags; 0 if lag 1 is not detectable, ∞ if all are up to 2^52.

    Raises:
        InputError: for a regime that is none of `ENVELOPES`.
    """
    envelope = lookup(ENVELOPES, "regime", regime)

    def detectable(lag: int) -> bool:
        return bool(log_sample_complexity(envelope(np.array([float(lag)])), alpha, ERROR)[0] <= np.log(size))

    if not detectable(1):
        return 0.0
    low, high = 1, LARGEST
    if detectable(high):
        return np.inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if detectable(middle) else (low, middle)
    return float(low)


def least_envelope(sizes: Array, alpha: float) -> Array:
    """y = (k/N)^{1/κ}, the envelope that N sequences detect."""
    return np.exp((log_sample_complexity(np.ones_like(sizes), alpha, ERROR) - np.log(sizes)) / kappa(alpha))


def inversion_table(alphas: Sequence[float], sizes: Sequence[float]) -> pd.DataFrame:
    """H_N both ways.

    Returns:
        A row for each regime, α and N: `regime`, `alpha`, `sample_size`, `horizon` by inversion, `closed_form`.
    """
    tables = []
    for regime, closed_form in CLOSED_FORMS.items():
        for alpha in alphas:
            with np.errstate(over="ignore"):
                formula = closed_form(least_envelope(np.array(sizes), alpha))
            horizons = [invert(regime, size, alpha) for size in sizes]
            columns = {"sample_size": sizes, "horizon": horizons, "closed_form": formula}
            tables.append(pd.DataFrame({"regime": regime, "alpha": alpha, **columns}))
    return pd.concat(tables, ignore_index=True)


def compute(_: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Table `windows`; nothing is random."""
    return {"windows": inversion_table(ALPHAS, SIZES.tolist())}
