"""Detectors of the mean of S from N draws: the paper's sample mean, and two that are robust against heavy tails.

Each detector's output, over many draws, is again SαS around the signal, at scale σ' N^{-1/κ'}:

    mean:    α' = α,   σ' = σ
    median:  α' = 2,   σ' = 1 / (2√2 f(0)),   f(0) = Γ(1 + 1/α) / (πσ)
    clipped: α' = 2,   σ' = (E min(|X|, c)² / 2)^½ / P(|X| < c),   c the 95 % point of the law of X

(an SαS law with α = 2 has variance 2σ²). The clipped mean is the mean of draws cut off at ±c, divided by the share of a
shift that it shows. With α' = 2 it grows as Δ^{-2}: the exponent κ of the paper is a property of the mean, not of the
data.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
import scipy  # whose parts are loaded where they are used
import xarray as xr
from jaxtyping import Float

from learnability.stats.stable import cumulatives, quantile
from learnability.windows.draws import noise_draws
from learnability.windows.noise import CLIP
from learnability.windows.readings import DetectionOptions

Array = Float[np.ndarray, "..."]

BLOCK = 2**18
"""Draws held at a time: few enough to stay in cache."""


def output_law(detector: str, alpha: Array, scale: Array) -> tuple[Array, Array]:
    """(α', σ') of the detector's output, from (α, σ) of the draws."""
    if detector == "mean":
        return alpha, scale
    of_median = np.pi / (2 * np.sqrt(2) * scipy.special.gamma(1 + 1 / alpha))
    relative = of_median if detector == "median" else _clipped_scale()(alpha)
    return np.full_like(alpha, 2.0), relative * scale


@lru_cache(maxsize=1)
def _clipped_scale() -> "scipy.interpolate.CubicSpline":
    """σ'(α) at σ = 1, from E min(|X|, c)² = 4 ∫_0^c x (1 - F(x)) dx."""
    grid = np.linspace(1, 2, 41)
    cuts = np.array([quantile(CLIP, alpha) for alpha in grid])
    nodes, weights = np.polynomial.legendre.leggauss(64)
    x = np.multiply.outer(cuts, (nodes + 1) / 2)
    square = 4 * (x * (1 - cumulatives(x, grid[:, None]))) @ weights * cuts / 2
    return scipy.interpolate.CubicSpline(grid, np.sqrt(square / 2) / (2 * CLIP - 1))


def resampled_margins(
    statistic: xr.Dataset, options: DetectionOptions, generator: np.random.Generator
) -> Float[np.ndarray, "size lag"]:
    """The error of the detector over N resampled draws of the noise that only a share ε of repetitions exceeds.

    With Δ/2 above this margin, deciding by Δ/2 errs with probability at most ε: the criterion `resampling`. Margins of
    the mean are too small where tails are heavy (`windows.detection`), and rest on ε times `draws` outcomes alone:
    below ten outcomes they are unreliable, below one they are the worst outcome of all. The same
    random numbers serve all lags, and the first N draws every N, so that margins compare.
    """
    sizes, seed = options.sample_sizes, generator.integers(2**63)
    margins = []
    for draws in noise_draws(statistic):
        values = draws.ravel()
        if options.detector == "clipped":
            values = np.clip(values, *np.quantile(values, [1 - CLIP, CLIP])) / (2 * CLIP - 1)
        centre, outputs = (np.median, _medians) if options.detector == "median" else (np.mean, _means)
        outcomes = outputs(values, sizes, options.draws, np.random.default_rng(seed)) - centre(values)
        margins.append(-np.quantile(outcomes, options.error_level, axis=1, method="inverted_cdf"))
    return np.broadcast_to(np.stack(margins, 1), (len(sizes), statistic.sizes["lag"]))


def _means(
    values: Float[np.ndarray, " value"], sizes: Sequence[int], draws: int, generator: np.random.Generator
) -> Float[np.ndarray, "size draw"]:
    """Means of N values drawn at random, the first N of as many as the largest N has."""
    stretches = list(pairwise([0, *sizes]))
    sums = np.empty((len(sizes), draws))
    for start in range(0, draws, rows := max(1, BLOCK // sizes[-1])):
        sample = _draw(values, (min(rows, draws - start), sizes[-1]), generator)
        for row, (previous, size) in enumerate(stretches):
            sums[row, start : start + rows] = sample[:, previous:size].sum(1)
    return sums.cumsum(0) / np.array(sizes)[:, None]


def _medians(
    values: Float[np.ndarray, " value"], sizes: Sequence[int], draws: int, generator: np.random.Generator
) -> Float[np.ndarray, "size draw"]:
    """Medians of N values drawn at random, the first N of as many as the largest N has."""
    medians = np.empty((len(sizes), draws))
    for start in range(0, draws, rows := max(1, BLOCK // sizes[-1])):
        sample = _draw(values, (min(rows, draws - start), sizes[-1]), generator)
        for row, size in enumerate(sizes):
            medians[row, start : start + rows] = np.median(sample[:, :size], 1)
    return medians


def _draw(
    values: Float[np.ndarray, " value"], shape: tuple[int, int], generator: np.random.Generator
) -> Float[np.ndarray, "draw size"]:
    """Values at uniform places, which are the same share of the way through for every lag."""
    places = generator.integers(2**32, size=shape, dtype=np.uint32).astype(np.int64)
    places *= len(values)
    places >>= 32
    return values.take(places)
