"""Random signs of sequences: what the mean of S does where no lag has one.

Sequences are independent. If the mean of S over them is 0 and its law symmetric, each sequence's S may as well have the
other sign: drawing signs again gives as many data sets without a signal as one likes. Each is oriented again, as the
reading says, for the orientation itself makes means. Signs `per_unit` stay as they are: their bias does not show here.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd
import xarray as xr
from jaxtyping import Float

from learnability.stats.proportions import proportion_interval
from learnability.windows.detection import Margins, log_sample_complexities
from learnability.windows.draws import Draws, noise_draws
from learnability.windows.noise import fit_law, is_floored
from learnability.windows.readings import Reading, StatisticOptions
from learnability.windows.weighted import oriented_means, sequence_means, standard_errors


def critical_value(statistic: xr.Dataset, reading: Reading, generator: np.random.Generator) -> float | None:
    """c, so that no lag's m̂ - c s is above 0 with probability 1 - level if no lag has a mean.

    m̂ is the mean at a lag, s its standard error over sequences, and c the (1 - level)-quantile over flips of
    max_ℓ m/s (Westfall and Young 1993: the maximum keeps the level whatever the correlation of lags). None if the
    reading asks for no such bound (`family_wise: 0`).
    """
    level = reading.detection.family_wise
    if not level:
        return None
    statistic = _independent(statistic, reading)
    signs = _signs(statistic, reading, generator)
    mean = oriented_means(statistic, reading.statistic, signs)
    error = standard_errors(statistic, signs, mean)
    largest = (mean / np.where(error > 0, error, np.inf)).max(1)
    return float(np.quantile(largest, 1 - level))


def family_wise_bound(statistic: xr.Dataset, options: StatisticOptions, critical: float) -> Float[np.ndarray, "lag"]:
    """m̂ - c s at each lag, c of `critical_value`."""
    means = sequence_means(statistic)
    count = means.shape[1]
    (error,) = standard_errors(statistic, np.ones((1, count)), means.mean(1)[None], options.independent(count))
    return means.mean(1) - critical * error


def null_control(
    statistic: xr.Dataset, reading: Reading, margins: Margins, generator: np.random.Generator
) -> pd.DataFrame:
    """The rate of false windows: how often a window opens although no lag has a mean.

    The law of S under flips, S and -S alike, is fitted once. A signal `product` is no sum over sequences to be flipped:
    its `rate` is NaN.

    Returns:
        A row for each criterion and N: `sample_size`, `flips`, `false_windows`, those with a lag whose N̂ is at most N,
        their `rate` and its Clopper-Pearson interval `low`, `high` (95 %), the `level` that the reading states (of all
        lags together, or without one the error level of each), and `chosen`, whether the criterion is the reading's.
    """
    detection, whole, statistic = reading.detection, statistic, _independent(statistic, reading)
    flips, level = detection.draws, detection.family_wise
    signs, critical = _signs(statistic, reading, generator), critical_value(whole, reading, generator)
    mean = oriented_means(statistic, reading.statistic, signs)
    lower = None if critical is None else mean - critical * standard_errors(statistic, signs, mean)
    law = fit_law(partial(_symmetrised, statistic), reading.noise)
    below_floor = is_floored(law.spread, reading.noise)
    alpha, scale = np.where(below_floor, 2.0, law.alpha), np.where(below_floor, 0.0, law.scale)
    sample_complexities = log_sample_complexities(np.abs(mean), alpha, scale, lower, margins, detection)
    factor = 1 if detection.signal == "mean" else np.nan
    rows = []
    for criterion, log_sample_complexity in sample_complexities.items():
        for size in detection.sample_sizes:
            false_windows = int((log_sample_complexity.min(1) <= np.log(size)).sum())
            low, high = proportion_interval(false_windows, flips)
            rows.append(
                {
                    "criterion": criterion,
                    "chosen": criterion == detection.criterion,
                    "sample_size": size,
                    "flips": flips,
                    "level": level or detection.error_level,
                    "false_windows": false_windows,
                    "rate": factor * false_windows / flips,
                    "low": factor * low,
                    "high": factor * high,
                }
            )
    return pd.DataFrame(rows)


def _independent(statistic: xr.Dataset, reading: Reading) -> xr.Dataset:
    """The sequences whose signs may be flipped one by one."""
    return statistic.isel(sequence=slice(reading.statistic.independent(statistic.sizes["sequence"])))


def _signs(
    statistic: xr.Dataset, reading: Reading, generator: np.random.Generator
) -> Float[np.ndarray, "flip sequence"]:
    return generator.choice([-1.0, 1.0], size=(reading.detection.draws, statistic.sizes["sequence"]))


def _symmetrised(statistic: xr.Dataset) -> Iterator[Draws]:
    """Draws of the noise with either sign."""
    for draws in noise_draws(statistic):
        yield np.concatenate([draws, -draws])
