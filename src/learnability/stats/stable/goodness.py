"""A test of the stable law itself: Kolmogorov-Smirnov distance, p-value by parametric bootstrap."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from learnability.core.errors import require
from learnability.stats.stable.draws import draw
from learnability.stats.stable.law import cumulatives
from learnability.stats.stable.mcculloch import StableFit

BLOCK = 2**21
"""Draws held at a time."""


class Goodness(NamedTuple):
    """Outcome of the test; both NaN for a degenerate sample.

    Args:
        statistic: d = sup |F_n(x) - F(x)|, F the fitted law.
        p_value: (1 + #{d* ≥ d}) / (1 + repetitions).
    """

    statistic: float
    p_value: float


def distance(sample: Float[np.ndarray, "... draw"], fit: StableFit) -> Float[np.ndarray, "..."]:
    """Kolmogorov-Smirnov distance between each sample and its fit; NaN where there is none."""
    count = sample.shape[-1]
    standard = np.sort((sample - fit.location[..., None]) / fit.scale[..., None], axis=-1)
    below = cumulatives(standard, fit.alpha[..., None])
    steps = np.arange(count + 1) / count
    return np.asarray(np.maximum((below - steps[:-1]).max(-1), (steps[1:] - below).max(-1)))


def stable_law_test(
    sample: Float[np.ndarray, " draw"],
    fit_function: Callable[[Float[np.ndarray, "... draw"]], StableFit],
    repetitions: int,
    generator: np.random.Generator,
) -> Goodness:
    """Test whether independent draws follow an SαS law, of whatever α, σ and location.

    d* are distances of samples from the fitted law to their own fits, so that the p-value allows for fitting
    (Stute, Manteiga and Quindimil 1993). It judges law and fit together: a biased fit is rejected too. Draws that
    depend on each other make d larger than this p-value allows for.

    Args:
        sample: draws of one law.
        fit_function: an estimator that follows shift and scale.
        repetitions: samples of the bootstrap; the least p-value is 1 / (1 + repetitions).
        generator: source of the bootstrap.

    Raises:
        InputError: for fewer than 20 draws or less than one repetition.
    """
    require(repetitions >= 1, "repetitions", "at least 1", repetitions)
    fit = fit_function(sample)
    if fit.degenerate:
        return Goodness(np.nan, np.nan)
    statistic, larger, rows = float(distance(sample, fit)), 0, max(1, BLOCK // len(sample))
    for start in range(0, repetitions, rows):
        # Draws of the standard law suffice, because fits follow shift and scale.
        samples = draw(float(fit.alpha), (min(rows, repetitions - start), len(sample)), generator)
        larger += int((distance(samples, fit_function(samples)) >= statistic).sum())
    return Goodness(statistic, (1 + larger) / (1 + repetitions))
