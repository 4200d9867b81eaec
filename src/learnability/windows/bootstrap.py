"""Intervals by drawing sequences again: the mean of S and its stable law, carried on to N̂(ℓ) and Ĥ_N.

Sequences are independent, t within one are not: so whole sequences are drawn, n of n with replacement, and numbers are
found again (Efron 1979), given what counts as known: signs of single units, the mean of the errors, m̄ f̂, margins of the
criterion `resampling` and the critical value of the bound over all lags. Halves that lend each other signs are drawn
apart. Intervals are 95 % percentile intervals.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
import xarray as xr
from jaxtyping import Float, Shaped

from learnability.stats.stable.mcculloch import LEVELS, StableFit, fit_quantiles, interquartile_range
from learnability.windows.detection import (
    Margins,
    chosen_signal,
    detector_exponent,
    horizon,
    log_sample_complexities,
    on_grid,
)
from learnability.windows.draws import has_one_noise, noise_draws
from learnability.windows.noise import fit_noise, is_floored
from learnability.windows.readings import DetectionOptions, NoiseOptions, Reading
from learnability.windows.scaling import residual
from learnability.windows.weighted import oriented_means, standard_errors

Counts = Float[np.ndarray, "draw sequence"]
Table = Float[np.ndarray, "draw lag"]

INTERVAL = (0.025, 0.975)
BINS = 1024
"""Steps of equal content in which a law of more than `EXACT` values is held; between them it is taken as straight."""
EXACT = 4096
"""Number of values up to which a law keeps each value as a step."""
STANDARD = np.sinh(np.linspace(-6, 6, 801)) / 8
"""Points at which laws of several lags are joined, in interquartile ranges from the median."""


class Resampled(NamedTuple):
    """Estimates from n sequences drawn again, a row for each draw.

    Args:
        mean: of S.
        error: its standard error.
    """

    mean: Table
    error: Table
    alpha: Table
    scale: Table


def resample(statistic: xr.Dataset, reading: Reading, generator: np.random.Generator) -> Resampled:
    """Draw sequences again and fit as `learnability.windows.noise.fit_noise` does.

    By McCulloch's estimator laws come from histograms of each sequence, one matrix product a lag; by others, of which
    quantiles are not enough, each draw is fitted whole.
    """
    options, noise, draws = reading.statistic, reading.noise, reading.detection.draws
    folds = map(len, np.array_split(np.arange(statistic.sizes["sequence"]), options.folds))
    counts = np.hstack([generator.multinomial(size, np.full(size, 1 / size), draws) for size in folds]).astype(float)
    mean = oriented_means(statistic, options, counts)
    fit = _laws(statistic, noise, counts) if noise.estimator == "mcculloch" else _fits(statistic, noise, counts)
    below_floor = is_floored(fit.spread, noise)
    alpha, scale = np.where(below_floor, 2.0, fit.alpha), np.where(below_floor, 0.0, fit.scale)
    return Resampled(
        mean,
        standard_errors(statistic, counts, mean, options.independent(counts.shape[1])),
        np.broadcast_to(alpha, mean.shape),
        np.broadcast_to(scale, mean.shape),
    )


def _laws(statistic: xr.Dataset, options: NoiseOptions, counts: Counts) -> StableFit:
    """McCulloch's fit of each draw, (draw, lag)."""
    fit = partial(fit_quantiles, floor=options.numerical_floor, least=options.least_tail_index)
    is_shared = options.tail_index == "shared" and not has_one_noise(statistic)
    laws, quantiles = [], []
    for draws in noise_draws(statistic):
        law = _Law(draws, counts)
        quantiles.append(law.quantiles)
        if is_shared:
            laws.append(law)
    fits = fit(np.stack(quantiles, -1))
    if not is_shared:
        return fits
    mixture = np.zeros((len(counts), len(STANDARD)))
    sizes = ~fits.degenerate * np.array([law.size for law in laws])
    for lag, law in enumerate(laws):
        x = fits.location[:, lag, None] + fits.spread[:, lag, None] * STANDARD
        mixture += np.where(fits.degenerate[:, lag, None], 0, sizes[:, lag, None] * law.cumulative(x))
    mixture /= np.maximum(sizes.sum(1), 1)[:, None]
    standard = np.stack([_invert(np.broadcast_to(STANDARD, mixture.shape), mixture, level) for level in LEVELS])
    alpha = np.where(fits.degenerate, np.nan, fit(standard).alpha[:, None])
    return fits._replace(alpha=alpha, scale=fits.spread / interquartile_range(alpha))


class _Law:
    """The distribution of one lag's values under each draw: in bins, of one value each if they are few."""

    def __init__(self, values: Float[np.ndarray, "sequence value"], counts: Counts) -> None:
        self.size, self.finite = values.size, bool(np.isfinite(values).all())
        order = np.argsort(values := np.nan_to_num(values), axis=None)
        flat = values.ravel()[order]
        bins = flat.size if flat.size <= EXACT else BINS
        first = np.arange(bins) * flat.size // bins
        self.lowest, self.highest = flat[first], flat[np.append(first[1:], flat.size) - 1]
        places = order // values.shape[1] * bins + np.searchsorted(self.lowest[1:], flat, side="right")
        contents = np.bincount(places, minlength=bins * len(values)).reshape(len(values), bins)
        exact = np.float32 if flat.size < 2**24 else np.float64  # sums of whole numbers
        self.up_to = counts.astype(exact) @ contents.cumsum(1, dtype=exact)

    @property
    def quantiles(self) -> Float[np.ndarray, "level draw"]:
        """Quantiles at `LEVELS` as `np.quantile` defines them; linear between the ends of a bin."""
        place = np.multiply.outer(LEVELS, self.up_to[:, -1].astype(np.float64) - 1)
        at = _at_most(self.up_to, place)
        rows = np.arange(len(self.up_to))
        after = self.up_to[rows, at].astype(np.float64)  # the place of the first value beyond the bin
        before = np.where(at > 0, self.up_to[rows, at - 1], 0).astype(np.float64)
        next_bin = np.minimum(_at_most(self.up_to, after), len(self.lowest) - 1)
        inside = np.clip((place - before) / np.maximum(after - 1 - before, 1), 0, 1)
        within = self.lowest[at] + inside * (self.highest[at] - self.lowest[at])
        beyond = np.clip(place - (after - 1), 0, 1)
        values = np.where(beyond > 0, self.highest[at] + beyond * (self.lowest[next_bin] - self.highest[at]), within)
        return values if self.finite else np.full_like(values, np.nan)

    def cumulative(self, x: Float[np.ndarray, "draw point"]) -> Float[np.ndarray, "draw point"]:
        """F(x) of each draw, linear between the ends of bins."""
        at = np.searchsorted(self.highest, x)
        ends = np.append(self.highest, np.inf)
        start = np.where(at > 0, ends[at - 1], self.lowest[0])
        share = np.clip((x - start) / np.where(ends[at] > start, ends[at] - start, 1), 0, 1)
        up_to = np.pad(self.up_to, ((0, 0), (1, 1)), mode="edge")
        up_to[:, 0] = 0
        low, high = (np.take_along_axis(up_to, index, 1) for index in (at, at + 1))
        return (low + share * (high - low)) / self.up_to[:, -1:]


def _at_most(
    values: Float[np.ndarray, "draw point"], limits: Float[np.ndarray, "level draw"]
) -> Shaped[np.ndarray, "level draw"]:
    """Count the entries of each row that are at most its limits, by bisection."""
    rows, last = np.arange(limits.shape[1]), values.shape[1] - 1
    low = np.zeros(limits.shape, dtype=np.int64)
    high = np.full_like(low, values.shape[1])
    for _ in range(values.shape[1].bit_length()):
        middle = np.minimum((low + high) // 2, last)
        is_below = (values[rows, middle] <= limits) & (low < high)
        low, high = np.where(is_below, middle + 1, low), np.where(is_below, high, np.minimum(middle, high))
    return low


def _invert(
    x: Float[np.ndarray, "draw point"], below: Float[np.ndarray, "draw point"], level: float
) -> Float[np.ndarray, "draw"]:
    """The point at which a distribution function, linear between points, reaches a level."""
    at = np.clip((below < level).sum(1), 1, below.shape[1] - 1)[:, None]
    start, end, low, high = (np.take_along_axis(a, i, 1)[:, 0] for a in (x, below) for i in (at - 1, at))
    return start + (end - start) * np.clip((level - low) / np.where(high > low, high - low, 1), 0, 1)


def _fits(statistic: xr.Dataset, options: NoiseOptions, counts: Counts) -> StableFit:
    """The fit of each draw by any estimator."""
    tables = [
        fit_noise(statistic.isel(sequence=np.repeat(np.arange(counts.shape[1]), row.astype(int))), options)
        for row in counts
    ]
    alpha, scale, location = (np.stack([table[name] for table in tables]) for name in ("alpha", "scale", "location"))
    flags = [np.stack([table[name] for table in tables]) for name in ("clipped", "degenerate")]
    return StableFit(alpha, scale, location, scale * interquartile_range(alpha), *flags)


def noise_intervals(noise: pd.DataFrame, resampled: Resampled) -> pd.DataFrame:
    """`signal`, `alpha` and `scale` of a table of `windows.noise.fit_noise`, each with `…_low` and `…_high`."""
    measures = {"signal": np.abs(resampled.mean), "alpha": resampled.alpha, "scale": resampled.scale}
    return noise.assign(
        **{name: ends for key, values in measures.items() for name, ends in _interval(key, values).items()}
    )


def resampled_sample_complexities(
    noise: pd.DataFrame, resampled: Resampled, critical: float | None, margins: Margins, detection: DetectionOptions
) -> dict[str, Table]:
    """log N̂(ℓ) of each draw by every criterion.

    Args:
        noise: what was measured; a signal `product`, which has no sum over sequences, stays as it is there.
        critical: of `learnability.windows.sign_flips.critical_value`, if the reading bounds all lags at once.
        margins: margins of the criterion `resampling`, the same for all draws.
    """
    signal = chosen_signal(noise, detection) if detection.signal == "product" else np.abs(resampled.mean)
    lower = None if critical is None else resampled.mean - critical * resampled.error
    return log_sample_complexities(signal, resampled.alpha, resampled.scale, lower, margins, detection)


def sample_complexity_intervals(
    sample_complexity: pd.DataFrame,
    sample_complexities: dict[str, Table],
    resampled: Resampled,
    detection: DetectionOptions,
) -> pd.DataFrame:
    """A table of `windows.detection.estimate_sample_complexity` with ends of intervals, of R(ℓ) and of
    `log_sample_complexity`, `…_low` and `…_high`."""
    parts = []
    for criterion, rows in sample_complexity.groupby("criterion", sort=False):
        draws = pd.DataFrame(
            {
                "sample_complexity": on_grid(sample_complexities[str(criterion)], detection.sample_sizes).ravel(),
                "signal": np.abs(resampled.mean).ravel(),
                "scale": resampled.scale.ravel(),
                "kappa": detector_exponent(resampled.alpha, detection.detector).ravel(),
            }
        )
        residuals = residual(draws).to_numpy().reshape(resampled.mean.shape)
        intervals = _interval("log_sample_complexity", sample_complexities[str(criterion)]) | _interval(
            "residual", residuals
        )
        parts.append(rows.assign(residual=residual(rows), **intervals))
    return pd.concat(parts)


def window_intervals(
    window: pd.DataFrame, sample_complexities: dict[str, Table], lags: Sequence[int], detection: DetectionOptions
) -> pd.DataFrame:
    """A table of `learnability.windows.detection.learnability_window` with `horizon_low` and `horizon_high`."""
    parts = []
    for criterion, rows in window.groupby("criterion", sort=False):
        sample_complexity = on_grid(sample_complexities[str(criterion)], detection.sample_sizes)
        horizons = horizon(lags, sample_complexity[:, None], rows["sample_size"].to_numpy())
        parts.append(rows.assign(**_interval("horizon", horizons)))
    return pd.concat(parts)


def interval(values: Shaped[np.ndarray, "draw entry"]) -> Shaped[np.ndarray, "end entry"]:
    """Ends of the interval over draws; ∞ is a value."""
    return np.quantile(values, INTERVAL, axis=0, method="inverted_cdf")


def _interval(name: str, values: Shaped[np.ndarray, "draw entry"]) -> dict[str, np.ndarray]:
    low, high = interval(values)
    return {f"{name}_low": low, f"{name}_high": high}
