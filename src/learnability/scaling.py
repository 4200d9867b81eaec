"""What the paper's text claims of sample needs and windows beside its figures, as numbers of one run.

Residual R(ℓ) (Appendix H), Δ̂ against f̂ (Eq. 72), the bounds of Lemma 5.2 (Eqs. 41-42), the growth of Ĥ_N (Sec. 5.4),
H_N of Eq. 39 (footnote 4), and tail index against decay (Sec. 7). NaN says that there is nothing to measure; ∞ is a
value.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from learnability.fits import LineFit, fit_exponential, fit_line, fit_power

Lags = Float[np.ndarray, " lag"]


def residual(need: pd.DataFrame) -> pd.Series:
    """R(ℓ) = log N̂(ℓ) - κ_α̂ (log σ̂_α(ℓ) - log Δ̂(ℓ)) (Eq. 73), NaN where N̂ = ∞.

    N̂ is the smallest sample size of the grid that suffices; with the closed form in its place R would be a
    function of α̂ alone, whatever the data.

    Args:
        need: rows of `learnability.detection.sample_need`.
    """
    usable = np.isfinite(need["need"]) & (need["scale"] > 0) & (need["signal"] > 0)
    rows = need.where(usable)
    return np.log(rows["need"]) - rows["kappa"] * (np.log(rows["scale"]) - np.log(rows["signal"]))


def signal_on_envelope(need: pd.DataFrame) -> LineFit:
    """The line of log Δ̂(ℓ) over log f̂(ℓ): Eq. 72 says slope 1.

    Args:
        need: rows of `learnability.detection.sample_need` for one criterion, here and below.
    """
    return fit_line(_log(need["envelope"]), _log(need["signal"]))


def alignment(need: pd.DataFrame) -> pd.Series:
    """m̄(ℓ) = Σ_q ⟨|μ^{(q)}|⟩ |m_q| / f̂ (Eqs. 31-32, whose μ is signed), at least |Δ̂|/f̂; NaN where f̂ = 0."""
    return need["product"] / need["envelope"].where(need["envelope"] > 0)


def need_bounds(need: pd.DataFrame) -> tuple[Lags, Lags]:
    """log c⋆ - κ log f̂(ℓ) and log C⋆ - κ log f̂(ℓ), between which Eq. 41 has log N(ℓ).

    c_σ, C_σ, c_m, C_m are the least and largest σ̂ and m̄ over lags; κ and κ_{α,ε}, of the reading's criterion, are
    medians over lags with a finite N̂, which are those of the median α̂. NaN without such lags.
    """
    kappa, constant = _median_law(need)
    m, scale, log_f = alignment(need), need["scale"], _log(need["envelope"])
    low = constant + kappa * (_log(scale.min()) - _log(m.max()) - log_f)
    high = constant + kappa * (_log(scale.max()) - _log(m.min()) - log_f)
    return low, high


def generalised_inverse(need: pd.DataFrame, log_level: Float[np.ndarray, "size lag"]) -> Int[np.ndarray, " size"]:
    """f←(y) = sup{ℓ : f̂(ℓ) ≥ y}, on the grid of lags; 0 if there is none.

    Args:
        log_level: log y for each N, of one lag or of each.
    """
    above = _log(need["envelope"]) >= log_level
    return np.asarray(np.where(above, need["lag"].to_numpy(), 0).max(-1))


def window_bounds(need: pd.DataFrame, sample_sizes: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """f←((C_σ/c_m) (κ_{α,ε}/N)^{1/κ}) and f←((c_σ/C_m) (κ_{α,ε}/N)^{1/κ}), between which Eq. 42 has H_N, for each N.

    Eq. 42 as printed leaves κ_{α,ε} out, as a constant; with it, it follows from Eq. 41.
    """
    kappa, constant = _median_law(need)
    m, scale = alignment(need), need["scale"]
    concentrated = (constant - np.log(sample_sizes)[:, None]) / kappa
    return (
        generalised_inverse(need, _log(scale.max()) - _log(m.min()) + concentrated),
        generalised_inverse(need, _log(scale.min()) - _log(m.max()) + concentrated),
    )


def threshold_window(need: pd.DataFrame, sample_sizes: Sequence[int]) -> np.ndarray:
    """H_N = sup{ℓ : f̂(ℓ) ≥ ε_th(ℓ)} (Eq. 39), for each N, at lags with a finite N̂.

    ε_th(ℓ) = σ̂/m̄ (κ_{α,ε}/N)^{1/κ} (Eq. 38), all but N of that lag.
    """
    rows = need[np.isfinite(need["log_need"])]
    if rows.empty:
        return np.zeros(len(sample_sizes), dtype=int)
    kappa = rows["kappa"].to_numpy()
    concentrated = (_constants(rows) - np.log(sample_sizes)[:, None]) / kappa
    return generalised_inverse(rows, _log(rows["scale"]) - _log(alignment(rows)) + concentrated)


def growth_exponent(window: pd.DataFrame, last_lag: int) -> float:
    """Slope of log Ĥ_N over log N, at N where the window is open and not at the end of the grid of lags.

    Args:
        window: rows of `learnability.detection.learnability_window` for one criterion.
    """
    moving = window[(window["horizon"] > 0) & (window["horizon"] < last_lag)]
    return fit_line(np.log(moving["sample_size"].to_numpy()), np.log(moving["horizon"].to_numpy())).slope


def predicted_growth(need: pd.DataFrame) -> float:
    """1/(κβ) (Sec. 5.4), κ of the median α̂, β of a power law through f̂; NaN for an f̂ that does not decay."""
    kappa, _ = _median_law(need)
    beta = fit_power(need["lag"].to_numpy(), need["envelope"].to_numpy()).parameter
    return 1 / (kappa * beta) if beta > 0 else np.nan


def tail_and_decay(need: pd.DataFrame) -> float:
    """Spearman's correlation over lags of α̂(ℓ) and the local decay rate -d log f̂/dℓ; NaN if α̂ is one for all lags.

    Positive if tails are heavier where f̂ decays slowly (Sec. 7).
    """
    log_f = _log(need["envelope"])
    rate = -np.gradient(log_f, need["lag"].to_numpy())
    usable = np.isfinite(rate) & need["alpha"].notna().to_numpy()
    return rank_correlation(need["alpha"].to_numpy()[usable], rate[usable])


def rank_correlation(x: Float[np.ndarray, " point"], y: Float[np.ndarray, " point"]) -> float:
    """Spearman's; NaN for fewer than three points, or if x or y does not vary."""
    varies = len(x) >= 3 and np.ptp(x) > 0 and np.ptp(y) > 0
    return float(np.corrcoef(pd.Series(x).rank(), pd.Series(y).rank())[0, 1]) if varies else np.nan


def scaling_measures(need: pd.DataFrame, window: pd.DataFrame, noise: pd.DataFrame) -> dict[str, float]:
    """All of the above for one run, in print.

    Args:
        need, window: rows of the reading's criterion.
        noise: of `learnability.windowing.find_window`.
    """
    line, m, lags = signal_on_envelope(need), alignment(need), need["lag"].to_numpy()
    sizes, found = window["sample_size"].tolist(), window["horizon"].to_numpy()
    log_need = need["log_need"].to_numpy()
    (low, high), (shortest, longest) = need_bounds(need), window_bounds(need, sizes)
    return {
        "Eq. 72, slope": line.slope,
        "Eq. 72, R²": line.r_squared,
        "alignment, smallest": float(m.min()),
        "alignment, largest": float(m.max()),
        "scale, smallest": float(need["scale"].min()),
        "scale, largest": float(need["scale"].max()),
        "lags within Eq. 41": _share((low - ROUNDING <= log_need) & (log_need <= high + ROUNDING), low + high),
        "N within Eq. 42": _share((shortest <= found) & (found <= longest), np.full(len(found), low.sum())),
        "growth of window": growth_exponent(window, int(lags.max())),
        "growth in theory": predicted_growth(need),
        "N as in Eq. 39": _share(threshold_window(need, sizes) == found, np.full(len(found), low.sum())),
        "tail index": float(need["alpha"].median()),
        "by regression": float(noise["alpha_regression"].median()),
        "clipped": float(noise["alpha_clipped"].median()),
        "decay rate": 1 / fit_exponential(lags, need["envelope"].to_numpy()).parameter,
        "tail index and decay": tail_and_decay(need),
    }


ROUNDING = 1e-9
"""Of log N: bounds that are reached are not left."""


def _log(values: "pd.Series | np.ndarray | float") -> np.ndarray:
    """log, -∞ at 0; NaN stays."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.asarray(values, dtype=np.float64)))


def _share(holds: np.ndarray, known: np.ndarray) -> float:
    """NaN where what is compared is not known."""
    return float(holds.mean()) if np.isfinite(known).all() else np.nan


def _constants(rows: pd.DataFrame) -> Lags:
    """log κ_{α,ε} = log N̂ - κ log σ̂/Δ̂ (Eq. 40) at lags with a finite N̂."""
    ratio = _log(rows["scale"]) - _log(rows["signal"])
    return rows["log_need"].to_numpy() - rows["kappa"].to_numpy() * ratio


def _median_law(need: pd.DataFrame) -> tuple[float, float]:
    """κ and log κ_{α,ε}, medians over lags with a finite N̂; NaN without one."""
    rows = need[np.isfinite(need["log_need"])]
    return float(rows["kappa"].median()), float(pd.Series(_constants(rows)).median())
