"""Random signs of sequences: what the mean of S does where no lag has one.

Sequences are independent. If the mean of S over them is 0 and its law symmetric, each sequence's S may as well have the
other sign: drawing signs anew gives as many data sets without a signal as one likes. Each is oriented anew, as the
reading says, for the orientation itself makes means. Signs `per_unit` stay as they are: their bias does not show here.
"""

import numpy as np
import pandas as pd
import xarray as xr
from jaxtyping import Float
from scipy import stats

from learnability.detection import log_needs
from learnability.errors import require
from learnability.noise import fit_noise
from learnability.readings import DetectionOptions, NoiseOptions, StatisticOptions

CONFIDENCE = 0.95


def family_wise_bound(
    statistic: xr.Dataset, options: StatisticOptions, level: float, flips: int, generator: np.random.Generator
) -> Float[np.ndarray, "lag"]:
    """Lower bounds of the mean of S, all of which are at most 0 with probability 1 - level if no lag has a mean.

    m̂ - c s, with m̂ the mean at a lag, s its standard error over sequences, and c the (1 - level)-quantile over flips of
    max_ℓ m/s (Westfall and Young 1993: the maximum keeps the level whatever the correlation of lags). Without noise at
    a lag (s = 0) the bound is m̂.

    Args:
        level: of all lags together, in (0, 1/2).

    Raises:
        InputError: for another level.
    """
    require(0 < level < 0.5, "level", "in (0, 0.5)", level)
    means = _sequence_means(statistic)
    error = _standard_error(means.mean(1), means)
    return means.mean(1) - _critical_value(statistic, options, level, flips, generator) * error


def null_control(
    statistic: xr.Dataset,
    options: StatisticOptions,
    noise: NoiseOptions,
    detection: DetectionOptions,
    generator: np.random.Generator,
) -> pd.DataFrame:
    """How often a window opens where no lag has a mean: the rate of false windows.

    The law of S under flips, S and -S alike, is fitted once.

    Returns:
        A row for each criterion and N: `sample_size`, `flips`, `false_windows`, those with a lag whose N̂ is at most N,
        their `rate` and its Clopper-Pearson interval `low`, `high` (95 %), the `level` that the reading states (of all
        lags together, or without one the error level of each), and `chosen`, whether the criterion is the reading's.
    """
    flips, level = detection.flips, detection.family_wise
    mean, lower = _flipped_means(statistic, options, flips, generator), None
    if level:
        means, c = _sequence_means(statistic), _critical_value(statistic, options, level, flips, generator)
        lower = mean - c * _standard_error(mean, means)
    law = fit_noise(_symmetrised(statistic), noise)
    needs = log_needs(np.abs(mean), law["alpha"].to_numpy(), law["scale"].to_numpy(), lower, detection)
    rows = []
    for criterion, log_need in needs.items():
        for size in detection.sample_sizes:
            found = int((log_need.min(1) <= np.log(size)).sum())
            interval = stats.binomtest(found, flips).proportion_ci(CONFIDENCE, "exact")
            rows.append(
                {
                    "criterion": criterion,
                    "chosen": criterion == detection.criterion,
                    "sample_size": size,
                    "flips": flips,
                    "level": level or detection.error_level,
                    "false_windows": found,
                    "rate": found / flips,
                    "low": interval.low,
                    "high": interval.high,
                }
            )
    return pd.DataFrame(rows)


def _sequence_means(statistic: xr.Dataset) -> Float[np.ndarray, "lag sequence"]:
    """The mean of S over t."""
    values = statistic["statistic"].transpose("lag", "sequence", ...).to_numpy()
    return values.reshape(*values.shape[:2], -1).mean(-1)


def _flipped_means(
    statistic: xr.Dataset, options: StatisticOptions, flips: int, generator: np.random.Generator
) -> Float[np.ndarray, "flip lag"]:
    """The mean over sequences of each flip, oriented anew."""
    means = _sequence_means(statistic)
    signs = generator.choice([-1.0, 1.0], size=(flips, means.shape[1]))
    if options.orientation == "per_unit":
        return signs @ means.T / means.shape[1]
    plain = means * statistic["orientation"].transpose("lag", "sequence").to_numpy()  # as it was before
    folds = zip(*(np.array_split(each, options.folds, axis=1) for each in (signs, plain)), strict=True)
    sums = [some @ fold.T for some, fold in folds]
    return sum(each * np.sign(other) for each, other in zip(sums, reversed(sums), strict=True)) / means.shape[1]


def _standard_error(
    mean: Float[np.ndarray, "... lag"], means: Float[np.ndarray, "lag sequence"]
) -> Float[np.ndarray, "... lag"]:
    """Of the mean over sequences, whatever their signs: squares do not change."""
    return np.sqrt(np.maximum((means**2).mean(1) - mean**2, 0) / (means.shape[1] - 1))


def _critical_value(
    statistic: xr.Dataset, options: StatisticOptions, level: float, flips: int, generator: np.random.Generator
) -> float:
    """The (1 - level)-quantile over flips of the largest mean over its standard error."""
    mean = _flipped_means(statistic, options, flips, generator)
    error = _standard_error(mean, _sequence_means(statistic))
    return float(np.quantile((mean / np.where(error > 0, error, np.inf)).max(1), 1 - level))


def _symmetrised(statistic: xr.Dataset) -> xr.Dataset:
    """S, and the total gradient, with either sign."""
    sampled = statistic[[name for name in ("statistic", "total") if name in statistic]]
    return xr.concat([sampled, -sampled], "sequence").assign(envelope=statistic["envelope"])
