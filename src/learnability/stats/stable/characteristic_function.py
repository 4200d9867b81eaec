"""Regression on the empirical characteristic function (Koutrouvelis 1980), symmetric case.

    log(-log |φ(t)|²) = log 2 + α log σ + α log t

is a line in log t. φ is the sample's, at a few t in units of 1/σ.
"""

import numpy as np
from jaxtyping import Float

from learnability.stats.stable.law import TAIL_INDEX_RANGE
from learnability.stats.stable.mcculloch import StableFit, fit_stable

POINTS = np.arange(1, 11) / 10
"""σt. Smaller t leave α̂ noisy below 2, larger t at 2; multiples of the first, so that e^{itx} are powers."""
ROUNDS = 2
"""Rounds of the fit; each restates t in the scale of the one before, and more move α̂ by under a tenth of its error."""


def fit_characteristic_function(sample: Float[np.ndarray, "... draw"]) -> StableFit:
    """Fit (α, σ) along the last axis by regression; location is the median, spread the interquartile range.

    Starts from McCulloch's scale. Where α̂ leaves [0.8, 2] it is put at the end and `clipped`; σ̂ is then that of the
    line of that slope. Shift- and scale-equivariant. Holds a centred copy of the sample; the rest goes row by row.

    Raises:
        InputError: for fewer than 20 draws.
    """
    start = fit_stable(sample)
    deviations = np.where(start.degenerate[..., None], 0.0, sample) - np.nan_to_num(start.location)[..., None]
    low, high = TAIL_INDEX_RANGE
    log_t = np.log(POINTS)
    deviation = log_t - log_t.mean()
    scale = start.scale
    for _ in range(ROUNDS):
        modulus = np.empty((*scale.shape, len(POINTS)))
        for row in np.ndindex(scale.shape):
            modulus[row] = _squared_modulus(deviations[row] / scale[row])
        y = np.log(-np.log(modulus))
        slope = y @ deviation / (deviation @ deviation)
        alpha = np.clip(slope, low, high)
        scale = scale * np.exp((y.mean(-1) - np.log(2)) / alpha - log_t.mean())
    is_clipped = (slope < low) | (slope > high)
    return start._replace(alpha=alpha, scale=scale, clipped=is_clipped)


def _squared_modulus(x: Float[np.ndarray, " draw"]) -> Float[np.ndarray, " point"]:
    """|mean e^{itx}|² at t in `POINTS`."""
    unit = np.exp(1j * POINTS[0] * x)
    power, means = np.ones_like(unit), []
    for _ in POINTS:
        power *= unit
        means.append(power.mean())
    return np.abs(means) ** 2
