"""Sample complexity N̂(ℓ) and learnability window Ĥ_N (paper Secs. 5.3.2, 5.4 and 6.1), in log N throughout.

    κ = α/(α-1)                                                         Eq. 37
    fano:  N ≥ (σ / (√c_α Δ))^κ  log(1/2ε)^{κ/2},   c_α = I_α/2          Eqs. 36, 38, 40
    snr:   N^{1/κ} Δ/σ > threshold                                      the rule of the author's public code
    exact: N = (2 q σ / Δ)^κ,   q the (1 - ε)-quantile of SαS           the true error of the mean is ε
    resampling: Δ/2 ≥ -q̂_N,   q̂_N the ε-quantile of the noise's mean over N resampled draws: the same, with no law
    Ĥ_N = max{ℓ : N̂(ℓ) ≤ N}                                            Eq. 45

`exact` decides between ±Δ/2, at scale σ N^{-1/κ}, by the sign of the mean. A detector other than the mean brings an α
and a σ of its own into all of them. N = ∞ is a value: no signal, no finite mean (α ≤ 1), no noise fit, a scale under
the numerical floor, or a signed mean whose confidence bound is not above 0.

`resampling` knows no tail beyond the largest of the n values that it draws from. With the mean as detector it asks for
too little where tails are heavy: at α = 1.6, in the median, for 0.9 of the N of `exact` at N = n/5, for 0.55 at
N = 0.8 n (1600 for 2890, n = 2000), for a third at N = 3 n; at α = 2 for all of it.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from numpy.typing import ArrayLike

from learnability.core.errors import require
from learnability.stats.stable import location_informations, quantiles
from learnability.stats.stable.law import LEAST_TAIL
from learnability.windows.detectors import output_law
from learnability.windows.readings import DetectionOptions

Array = Float[np.ndarray, "..."]
Margins = Float[np.ndarray, "size lag"] | None
"""-q̂_N of the criterion `resampling` (`windows.detectors.resampled_margins`); None leaves that criterion out."""

CLOSED_FORM = ("fano", "snr", "exact")
"""Criteria that are a formula in Δ̂, α̂ and σ̂."""


def concentration_exponent(alpha: Array) -> Array:
    """κ_α = α/(α-1) (Eq. 37).

    Raises:
        InputError: outside (1, 2]: at α ≤ 1 means do not concentrate.
    """
    alpha = np.asarray(alpha, dtype=np.float64)
    require(bool(np.all((alpha > 1) & (alpha <= 2))), "alpha", "in (1, 2]", alpha.tolist())
    return alpha / (alpha - 1)


def fano_log_sample_complexity(
    signal: Array, alpha: Array, scale: Array, information: Array, error_level: float
) -> Array:
    """log N of Eq. 36: κ (log σ - log Δ - ½ log c_α + ½ log log 1/2ε), c_α = I_α/2; for ε in (0, ½)."""
    require(0 < error_level < 0.5, "error_level", "in (0, 0.5)", error_level)
    bits = np.log(np.log(1 / (2 * error_level))) - np.log(np.asarray(information) / 2)
    return concentration_exponent(alpha) * (np.log(scale) - np.log(signal) + bits / 2)


def snr_log_sample_complexity(signal: Array, alpha: Array, scale: Array, threshold: float) -> Array:
    """log N at which Δ N^{1/κ}/σ reaches `threshold`: κ (log σ - log Δ + log threshold)."""
    require(threshold > 0, "threshold", "positive", threshold)
    return concentration_exponent(alpha) * (np.log(scale) - np.log(signal) + np.log(threshold))


def exact_log_sample_complexity(signal: Array, alpha: Array, scale: Array, error_level: float) -> Array:
    """log N at which the mean of N draws errs with probability ε: κ (log σ - log Δ + log 2q_{1-ε}); ε in [1e-9, ½)."""
    require(LEAST_TAIL <= error_level < 0.5, "error_level", f"in [{LEAST_TAIL:g}, 0.5)", error_level)
    margin = np.log(-2 * quantiles(error_level, np.asarray(alpha)))
    return concentration_exponent(alpha) * (np.log(scale) - np.log(signal) + margin)


def detector_exponent(alpha: Array, detector: str) -> Array:
    """κ of what the detector makes of draws with tail index α; ∞ where they have no mean (α ≤ 1, no fit)."""
    alpha = np.where(alpha > 1, alpha, np.nan)
    alpha, _ = output_law(detector, alpha, alpha)
    return np.where(alpha > 1, alpha / (alpha - 1), np.inf)


def chosen_signal(noise: pd.DataFrame, options: DetectionOptions) -> Array:
    """Δ̂(ℓ) as the reading has it, |mean S| or m̄(ℓ) f̂(ℓ), from a table of `learnability.windows.noise.fit_noise`."""
    return noise["signal" if options.signal == "mean" else options.signal].to_numpy()


def estimate_sample_complexity(noise: pd.DataFrame, options: DetectionOptions, margins: Margins = None) -> pd.DataFrame:
    """N̂(ℓ) by every criterion, from a table of `learnability.windows.noise.fit_noise`.

    Args:
        noise: with a column `lower`, the lower bound of `mean`, if the reading asks for one (`family_wise`).

    Returns:
        A row for each criterion and lag: `log_sample_complexity` (natural log; not rounded to the grid but by
        `resampling`), `sample_complexity` (smallest N of the grid that suffices, ∞ if none does), `kappa` of the
        detector, `chosen` (the reading's criterion), and the columns of `noise` with `signal` Δ̂ as the reading has it.
    """
    noise = noise.assign(signal=chosen_signal(noise, options))
    signal, alpha, scale = (noise[name].to_numpy() for name in ("signal", "alpha", "scale"))
    lower = noise["lower"].to_numpy() if options.family_wise > 0 else None
    sample_complexities = log_sample_complexities(signal, alpha, scale, lower, margins, options)
    kappa = detector_exponent(alpha, options.detector)
    tables = [
        noise.assign(
            criterion=criterion,
            chosen=criterion == options.criterion,
            log_sample_complexity=log_sample_complexity,
            sample_complexity=on_grid(log_sample_complexity, options.sample_sizes),
            kappa=kappa,
        )
        for criterion, log_sample_complexity in sample_complexities.items()
    ]
    return pd.concat(tables, ignore_index=True)


def log_sample_complexities(
    signal: Array, alpha: Array, scale: Array, lower: Array | None, margins: Margins, options: DetectionOptions
) -> dict[str, Array]:
    """log N by every criterion; ∞ where no N suffices. Arrays broadcast to (..., lag).

    Args:
        alpha, scale: of the draws, before any detector.
        lower: bound of the signed mean, or None for none.
    """
    arrays = [signal, alpha, scale, np.inf if lower is None else lower]
    signal, alpha, scale, lower = (np.asarray(array) for array in np.broadcast_arrays(*arrays))
    usable = (signal > 0) & (scale > 0) & (alpha > 1) & (lower > 0)
    arguments = signal[usable], *output_law(options.detector, alpha[usable], scale[usable])
    closed_form = {
        "fano": fano_log_sample_complexity(*arguments, location_informations(arguments[1]), options.error_level),
        "snr": snr_log_sample_complexity(*arguments, options.snr_threshold),
        "exact": exact_log_sample_complexity(*arguments, options.error_level),
    }
    sample_complexities = {}
    for criterion, values in closed_form.items():
        sample_complexities[criterion] = np.full(signal.shape, np.inf)
        sample_complexities[criterion][usable] = values
    if margins is not None:
        enough = usable[..., None, :] & (signal[..., None, :] / 2 >= margins)
        sizes = np.log(np.asarray(options.sample_sizes, dtype=np.float64))
        sample_complexities["resampling"] = np.where(enough.any(-2), sizes[enough.argmax(-2)], np.inf)
    return sample_complexities


def detectability_threshold(sample_complexity: pd.DataFrame, sample_size: int) -> Array:
    """ε_th(ℓ; N) = f̂(ℓ) (N̂(ℓ)/N)^{1/κ}, the envelope at which N sequences would do (Eq. 38); ∞ for N̂ = ∞.

    By `fano` this is σ̂ / (N^{1/κ} m̄) (log(1/2ε) / c_α)^{1/2} with m̄ = Δ̂/f̂; other criteria have one as well.

    Args:
        sample_complexity: rows of `estimate_sample_complexity` by one criterion.
    """
    kappa, log_sample_complexity = (
        sample_complexity["kappa"].to_numpy(),
        sample_complexity["log_sample_complexity"].to_numpy(),
    )
    finite = np.isfinite(log_sample_complexity)
    power = np.where(finite, log_sample_complexity - np.log(sample_size), np.inf) / np.where(finite, kappa, 1)
    return np.where(finite, sample_complexity["envelope"].to_numpy() * np.exp(np.where(finite, power, 0)), np.inf)


def on_grid(log_sample_complexity: Array, sample_sizes: Sequence[int]) -> Array:
    """The smallest N of the grid with log N ≥ log_sample_complexity; ∞ if there is none."""
    sizes = np.append(np.asarray(sample_sizes, dtype=np.float64), np.inf)
    return sizes[np.searchsorted(np.log(sizes[:-1]), log_sample_complexity)]


def horizon(
    lags: Sequence[int], sample_complexity: Float[np.ndarray, "... lag"], sample_size: ArrayLike
) -> Int[np.ndarray, "..."]:
    """Ĥ_N = max{ℓ : N̂(ℓ) ≤ N} (Eq. 45); 0 if no lag is detectable. Sizes N broadcast to the shape before the lags."""
    detectable = sample_complexity <= np.asarray(sample_size)[..., None]
    return np.asarray(np.where(detectable, np.asarray(lags), 0).max(-1))


def contiguous_horizon(
    lags: Sequence[int], sample_complexity: Float[np.ndarray, "... lag"], sample_size: ArrayLike
) -> Int[np.ndarray, "..."]:
    """The largest ℓ of the rising `lags` to which all are detectable at N, as in `horizon`; 0 if the first is not."""
    detectable = sample_complexity <= np.asarray(sample_size)[..., None]
    return np.asarray(np.where(np.logical_and.accumulate(detectable, -1), np.asarray(lags), 0).max(-1))


def learnability_window(sample_complexities: pd.DataFrame, options: DetectionOptions) -> pd.DataFrame:
    """Ĥ_N over the grid of N, by every criterion, from a table of `estimate_sample_complexity`.

    Returns:
        A row for each criterion and N: `sample_size`, `horizon`, `contiguous_horizon`, `chosen`, whether the criterion
        is the reading's, `sequences`, how many were measured, and `extrapolated`, whether N is beyond these.
    """
    tables = []
    sizes = np.asarray(options.sample_sizes)
    for criterion, table in sample_complexities.groupby("criterion", sort=True):
        lags, sample_complexity = table["lag"].tolist(), table["sample_complexity"].to_numpy()
        sequences = table["sequences"].iloc[0]
        tables.append(
            pd.DataFrame(
                {
                    "criterion": criterion,
                    "chosen": criterion == options.criterion,
                    "sample_size": sizes,
                    "sequences": sequences,
                    "extrapolated": sizes > sequences,
                    "horizon": horizon(lags, sample_complexity, sizes),
                    "contiguous_horizon": contiguous_horizon(lags, sample_complexity, sizes),
                }
            )
        )
    return pd.concat(tables, ignore_index=True)
