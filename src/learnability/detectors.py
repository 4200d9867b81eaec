"""What decides over N draws of S whether its mean is there: the paper's sample mean, and two that tails do not hurt.

Each detector's output, over many draws, is again SαS around the signal, at scale σ' N^{-1/κ'}:

    mean:    α' = α,   σ' = σ
    median:  α' = 2,   σ' = 1 / (2√2 f(0)),   f(0) = Γ(1 + 1/α) / (πσ)
    clipped: α' = 2,   σ' = (E min(|X|, c)² / 2)^½ / P(|X| < c),   c the 95 % point of the law of X

(an SαS law with α = 2 has variance 2σ²). The clipped mean is that of draws cut off at ±c, over the share of a shift
that it shows. With α' = 2 the need grows as Δ^{-2}: the exponent κ of the paper is that of the mean, not of the data.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
import xarray as xr
from jaxtyping import Float
from scipy.interpolate import CubicSpline
from scipy.sparse import csr_array
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
    draws serve all lags, and the first N of them every N, so that margins compare.
    """
    noise, sizes = noise_values(statistic), options.sample_sizes
    if options.detector == "median":
        found, whole = _medians(noise, sizes, options.draws, generator), np.median(noise, 1)
    else:
        if options.detector == "clipped":
            cuts = np.quantile(noise, [1 - CLIP, CLIP], axis=1)[..., None]
            noise = np.clip(noise, *cuts) / (2 * CLIP - 1)
        found, whole = _means(noise, sizes, options.draws, generator), noise.mean(1)
    margins = -np.quantile(found - whole, options.error_level, axis=1, method="inverted_cdf")
    return np.broadcast_to(margins, (len(sizes), statistic.sizes["lag"]))


def _means(
    values: Float[np.ndarray, "lag value"], sizes: Sequence[int], draws: int, generator: np.random.Generator
) -> Float[np.ndarray, "size draw lag"]:
    """Means of N values drawn at random: how often each is drawn, from one N to the next, times the values."""
    count, columns = values.shape[1], np.ascontiguousarray(values.T)
    total, found = np.zeros((draws, len(values))), []
    for reached, size in pairwise([0, *sizes]):
        stretch = size - reached
        if stretch < count:
            places = generator.integers(count, size=(draws, stretch)).ravel()
            ends = np.arange(draws + 1) * stretch
            drawn = csr_array((np.ones(len(places)), places, ends), (draws, count))
        else:
            drawn = generator.multinomial(stretch, np.full(count, 1 / count), draws).astype(np.float64)
        total += drawn @ columns
        found.append(total / size)
    return np.stack(found)


def _medians(
    values: Float[np.ndarray, "lag value"], sizes: Sequence[int], draws: int, generator: np.random.Generator
) -> Float[np.ndarray, "size draw lag"]:
    """Medians of N values drawn at random."""
    found = np.empty((len(sizes), draws, len(values)))
    for start in range(0, draws, rows := max(1, BLOCK // sizes[-1])):
        places = generator.integers(values.shape[1], size=(min(rows, draws - start), sizes[-1]))
        for lag, each in enumerate(values):
            drawn = each[places]
            for row, size in enumerate(sizes):
                found[row, start : start + rows, lag] = np.median(drawn[:, :size], 1)
    return found
