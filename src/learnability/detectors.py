"""What decides over N draws of S whether its mean is there: the paper's sample mean, and two that tails do not hurt.

Each detector's output, over many draws, is again SαS around the signal, at scale σ' N^{-1/κ'}:

    mean:    α' = α,   σ' = σ
    median:  α' = 2,   σ' = 1 / (2√2 f(0)),   f(0) = Γ(1 + 1/α) / (πσ)
    clipped: α' = 2,   σ' = (E min(|X|, c)² / 2)^½ / P(|X| < c),   c the 95 % point of the law of X

(an SαS law with α = 2 has variance 2σ²). The clipped mean is that of draws cut off at ±c, over the share of a shift
that it shows. With α' = 2 the need grows as Δ^{-2}: the exponent κ of the paper is that of the mean, not of the data.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import xarray as xr
from jaxtyping import Float
from scipy.interpolate import CubicSpline
from scipy.special import gamma

from learnability.noise import CLIP, noise_values
from learnability.readings import DetectionOptions
from learnability.stable import cumulatives, quantile

Array = Float[np.ndarray, "..."]

BLOCK = 2**22
"""Draws held at a time."""


def output_law(detector: str, alpha: Array, scale: Array) -> tuple[Array, Array]:
    """(α', σ') of the detector's output, from (α, σ) of the draws."""
    if detector == "mean":
        return alpha, scale
    relative = np.pi / (2 * np.sqrt(2) * gamma(1 + 1 / alpha)) if detector == "median" else _clipped_scale()(alpha)
    return np.full_like(alpha, 2.0), relative * scale


@lru_cache(maxsize=1)
def _clipped_scale() -> CubicSpline:
    """σ'(α) at σ = 1, from E min(|X|, c)² = 4 ∫_0^c x (1 - F(x)) dx."""
    grid = np.linspace(1, 2, 41)
    cuts = np.array([quantile(CLIP, alpha) for alpha in grid])
    nodes, weights = np.polynomial.legendre.leggauss(64)
    x = np.multiply.outer(cuts, (nodes + 1) / 2)
    square = 4 * (x * (1 - cumulatives(x, grid[:, None]))) @ weights * cuts / 2
    return CubicSpline(grid, np.sqrt(square / 2) / (2 * CLIP - 1))


def resampled_margins(
    statistic: xr.Dataset, options: DetectionOptions, generator: np.random.Generator
) -> Float[np.ndarray, "size lag"]:
    """By how much the detector misses the signal over N resampled draws of the noise, at worst but for a share ε.

    With Δ/2 above this margin, deciding by Δ/2 errs with probability at most ε: the criterion `resampling`. The same
    draws serve all lags, so that their margins compare.
    """
    noise = noise_values(statistic)
    noise = noise - noise.mean(-1, keepdims=True)
    draws, output = options.draws, OUTPUTS[options.detector]
    margins, found = np.empty((len(options.sample_sizes), len(noise))), np.empty((len(noise), draws))
    for row, size in enumerate(options.sample_sizes):
        step = max(1, BLOCK // size)
        for start in range(0, draws, step):
            chosen = generator.integers(noise.shape[1], size=(min(step, draws - start), size))
            for lag, values in enumerate(noise):
                found[lag, start : start + step] = output(values[chosen], values)
        margins[row] = -np.quantile(found, options.error_level, axis=1, method="inverted_cdf")
    return np.broadcast_to(margins, (len(margins), statistic.sizes["lag"]))


def _clipped(drawn: Array, law: Array) -> Array:
    low, high = np.quantile(law, [1 - CLIP, CLIP])
    return np.asarray(np.clip(drawn, low, high).mean(-1) / (2 * CLIP - 1))


OUTPUTS: dict[str, Callable[[Array, Array], Array]] = {
    "mean": lambda drawn, law: drawn.mean(-1) - law.mean(),
    "median": lambda drawn, law: np.median(drawn, -1) - np.median(law),
    "clipped": lambda drawn, law: _clipped(drawn, law) - _clipped(law, law),
}
"""What a detector makes of draws, along the last axis, about what it makes of the whole law."""
