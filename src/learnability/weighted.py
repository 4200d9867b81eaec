"""The mean of S when sequences carry weights: signs, for data without a signal, or counts, for data drawn again."""

import numpy as np
import xarray as xr
from jaxtyping import Float

from learnability.readings import StatisticOptions

Means = Float[np.ndarray, "draw lag"]


def sequence_means(statistic: xr.Dataset) -> Float[np.ndarray, "lag sequence"]:
    """The mean of S over t."""
    values = statistic["statistic"].transpose("lag", "sequence", ...).to_numpy()
    return values.reshape(*values.shape[:2], -1).mean(-1)


def oriented_means(
    statistic: xr.Dataset, options: StatisticOptions, weights: Float[np.ndarray, "draw sequence"]
) -> Means:
    """Σ_n weight_n S_n / n for each draw of weights, oriented anew; signs `per_unit` stay as they are."""
    means = sequence_means(statistic)
    if options.orientation == "per_unit":
        return weights @ means.T / means.shape[1]
    plain = means * statistic["orientation"].transpose("lag", "sequence").to_numpy()  # as it was before
    folds = zip(*(np.array_split(each, options.folds, axis=1) for each in (weights, plain)), strict=True)
    sums = [some @ fold.T for some, fold in folds]
    return sum(each * np.sign(other) for each, other in zip(sums, reversed(sums), strict=True)) / means.shape[1]


def standard_errors(statistic: xr.Dataset, weights: Float[np.ndarray, "draw sequence"], means: Means) -> Means:
    """Of these means, over sequences.

    Args:
        weights: signs or counts; a sign leaves a square as it is.
        means: of the same draws.
    """
    values = sequence_means(statistic)
    squares = np.abs(weights) @ (values**2).T / values.shape[1]
    return np.sqrt(np.maximum(squares - means**2, 0) / (values.shape[1] - 1))
