"""Sample need N̂(ℓ) and learnability window Ĥ_N (paper Secs. 5.3.2, 5.4 and 6.1), in log N throughout.

    κ = α/(α-1)                                                         Eq. 37
    fano:  N ≥ (σ / (√c_α Δ))^κ  log(1/2ε)^{κ/2},   c_α = I_α/2          Eqs. 36, 38, 40
    snr:   N^{1/κ} Δ/σ > threshold                                      the rule of the author's public code
    Ĥ_N = max{ℓ : N̂(ℓ) ≤ N}                                            Eq. 45

N = ∞ is a value: no signal, no finite mean (α ≤ 1), no noise fit, or a scale under the numerical floor.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from learnability.errors import require, require_available

Array = Float[np.ndarray, "..."]

CRITERIA = ("fano", "snr")


@dataclass(frozen=True)
class DetectionOptions:
    """What counts as detected.

    Args:
        criterion: the one that the figures use; all are computed.
        detector: the sample `mean`.
        signal: Δ̂ = |`mean` S|.
        error_level: ε of Eq. 36, in (0, 1/2).
        snr_threshold: least signal-to-noise ratio of `snr`, positive.
        sample_sizes: the grid of N, increasing.

    Raises:
        InputError: for a value out of its range or not built.
    """

    criterion: str
    detector: str
    signal: str
    error_level: float
    snr_threshold: float
    sample_sizes: Sequence[int]

    def __post_init__(self) -> None:
        for key, allowed in (("criterion", CRITERIA), ("detector", ("mean",)), ("signal", ("mean",))):
            require_available(key, getattr(self, key), allowed)
        require(0 < self.error_level < 0.5, "error_level", "in (0, 0.5)", self.error_level)
        require(self.snr_threshold > 0, "snr_threshold", "positive", self.snr_threshold)
        increasing = list(self.sample_sizes) == sorted(set(self.sample_sizes))
        positive = bool(self.sample_sizes) and self.sample_sizes[0] > 0
        require(increasing and positive, "sample_sizes", "positive, increasing, at least one", self.sample_sizes)


def concentration_exponent(alpha: Array) -> Array:
    """κ_α = α/(α-1) (Eq. 37).

    Raises:
        InputError: outside (1, 2]: at α ≤ 1 means do not concentrate.
    """
    alpha = np.asarray(alpha, dtype=np.float64)
    require(bool(np.all((alpha > 1) & (alpha <= 2))), "alpha", "in (1, 2]", alpha.tolist())
    return alpha / (alpha - 1)


def fano_log_need(signal: Array, alpha: Array, scale: Array, information: Array, error_level: float) -> Array:
    """log N of Eq. 36: κ (log σ - log Δ - ½ log c_α + ½ log log 1/2ε), c_α = I_α/2."""
    require(0 < error_level < 0.5, "error_level", "in (0, 0.5)", error_level)
    bits = np.log(np.log(1 / (2 * error_level))) - np.log(np.asarray(information) / 2)
    return concentration_exponent(alpha) * (np.log(scale) - np.log(signal) + bits / 2)


def snr_log_need(signal: Array, alpha: Array, scale: Array, threshold: float) -> Array:
    """log N at which Δ N^{1/κ}/σ reaches `threshold`: κ (log σ - log Δ + log threshold)."""
    require(threshold > 0, "threshold", "positive", threshold)
    return concentration_exponent(alpha) * (np.log(scale) - np.log(signal) + np.log(threshold))


def sample_need(noise: pd.DataFrame, options: DetectionOptions) -> pd.DataFrame:
    """N̂(ℓ) by every criterion, from a table of `learnability.noise.fit_noise`.

    Returns:
        A row for each criterion and lag: `log_need` (closed form, natural log), `need` (smallest N of the grid that
        suffices, ∞ if none does), `kappa`, `chosen` (the reading's criterion), and the columns of `noise`.
    """
    finite = (noise["signal"] > 0) & (noise["scale"] > 0) & (noise["alpha"] > 1)
    usable = noise[finite]
    signal, alpha, scale = (usable[name].to_numpy() for name in ("signal", "alpha", "scale"))
    closed = {
        "fano": fano_log_need(signal, alpha, scale, usable["information"].to_numpy(), options.error_level),
        "snr": snr_log_need(signal, alpha, scale, options.snr_threshold),
    }
    tables = []
    for criterion, values in closed.items():
        log_need = np.full(len(noise), np.inf)
        log_need[finite] = values
        table = noise.assign(
            criterion=criterion,
            chosen=criterion == options.criterion,
            log_need=log_need,
            need=on_grid(log_need, options.sample_sizes),
        )
        tables.append(table.assign(kappa=np.where(finite, noise["alpha"] / (noise["alpha"] - 1), np.inf)))
    return pd.concat(tables, ignore_index=True)


def on_grid(log_need: Array, sample_sizes: Sequence[int]) -> Array:
    """The smallest N of the grid with log N ≥ log_need; ∞ if there is none."""
    sizes = np.append(np.asarray(sample_sizes, dtype=np.float64), np.inf)
    return sizes[np.searchsorted(np.log(sizes[:-1]), log_need)]


def horizon(lags: Sequence[int], need: Array, sample_size: int) -> int:
    """Ĥ_N = max{ℓ : N̂(ℓ) ≤ N} (Eq. 45); 0 if no lag is detectable."""
    detected = np.asarray(need) <= sample_size
    return int(np.asarray(lags)[detected].max()) if detected.any() else 0


def contiguous_horizon(lags: Sequence[int], need: Array, sample_size: int) -> int:
    """The largest ℓ of the grid such that all its lags up to ℓ are detectable at N; 0 if the first is not."""
    undetected = ~(np.asarray(need) <= sample_size)
    reach = int(undetected.argmax()) if undetected.any() else len(undetected)
    return int(np.asarray(lags)[reach - 1]) if reach else 0


def learnability_window(needs: pd.DataFrame, options: DetectionOptions) -> pd.DataFrame:
    """Ĥ_N over the grid of N, by every criterion, from a table of `sample_need`.

    Returns:
        A row for each criterion and N: `sample_size`, `horizon`, `contiguous_horizon`, and `chosen`, whether the
        criterion is the reading's.
    """
    rows = [
        {
            "criterion": criterion,
            "chosen": criterion == options.criterion,
            "sample_size": size,
            "horizon": horizon(table["lag"].tolist(), table["need"].to_numpy(), size),
            "contiguous_horizon": contiguous_horizon(table["lag"].tolist(), table["need"].to_numpy(), size),
        }
        for criterion, table in needs.groupby("criterion", sort=True)
        for size in options.sample_sizes
    ]
    return pd.DataFrame(rows)
