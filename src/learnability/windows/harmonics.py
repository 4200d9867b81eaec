"""Assignment of resonances to harmonics of a period, in a module of its own so that figures need no torch."""

import pandas as pd

NEAR = 0.1
"""Largest distance of a resonance from its harmonic, as a share of the distance between harmonics."""
KEPT = 0.5
"""Least share of its size that a resonance keeps over P steps to be counted."""
HALF = 0.5
"""Distance of half-integer resonances from harmonics, as a share of the distance between harmonics."""


def harmonic(spectrum: pd.DataFrame, period: int, steps: int, beside: float = 0.0) -> "pd.Series[float]":
    """The harmonic of a period Q that each resonance is; NaN for any other.

    Args:
        spectrum: `frequency` and `modulus` of resonances.
        period: Q, steps.
        steps: P, over which a resonance must keep `KEPT` of its size.
        beside: of the distance of two harmonics, so far beside each the place lies; ½ for half-integers.

    Returns:
        k where the frequency is within `NEAR` of (k + beside)/Q, 0 ≤ k and (k + beside)/Q ≤ ½, and |λ|^P ≥ `KEPT`.
    """
    place = spectrum["frequency"] * period - beside
    nearest = place.round()
    near = (place - nearest).abs().lt(NEAR) & nearest.ge(0) & (nearest + beside).le(period / 2)
    return nearest.where(near & (spectrum["modulus"] ** steps >= KEPT))
