"""The mean of S when sequences carry weights: signs, for data without a signal, or counts, for data drawn again."""

import numpy as np
import xarray as xr
from jaxtyping import Float

from learnability.windows.draws import statistic_draws
from learnability.windows.readings import StatisticOptions

Means = Float[np.ndarray, "draw lag"]


def sequence_means(statistic: xr.Dataset) -> Float[np.ndarray, "lag sequence"]:
    """The mean of S over the t of each sequence."""
    return np.stack([draws.mean(1) for draws in statistic_draws(statistic)])


def oriented_means(
    statistic: xr.Dataset, options: StatisticOptions, weights: Float[np.ndarray, "draw sequence"]
) -> Means:
    """Σ_n weight_n S_n / n for each draw of weights, oriented for each draw.

    Signs `per_unit` stay as they are, and so do directions taken from the gradient.
    """
    means = sequence_means(statistic)
    if options.orientation == "per_unit" or options.probe == "own_gradient":
        return weights @ means.T / means.shape[1]
    plain = means * statistic["orientation"].transpose("lag", "sequence").to_numpy()  # without its signs
    total = np.zeros((len(weights), len(means)))
    for group, source in options.sign_groups(means.shape[1]):
        signs = np.sign(weights[:, source] @ plain[:, source].T)
        total += signs * (weights[:, group] @ plain[:, group].T)
    return total / means.shape[1]


def standard_errors(
    statistic: xr.Dataset, weights: Float[np.ndarray, "draw sequence"], means: Means, independent: int | None = None
) -> Means:
    """Standard errors over sequences of the means of S with weights.

    Args:
        weights: signs or counts; a sign leaves a square as it is.
        means: of the same draws.
        independent: how many of the sequences say something of their own (`StatisticOptions.independent`); by default
            all.
    """
    values = sequence_means(statistic)
    squares = np.abs(weights) @ (values**2).T / values.shape[1]
    return np.sqrt(np.maximum(squares - means**2, 0) / ((independent or values.shape[1]) - 1))
