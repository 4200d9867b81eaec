"""Claims about sample complexities and windows that the paper makes in its text alone, as numbers of one run.

Residual R(ℓ) (Appendix H), Δ̂ against f̂ (Eq. 72), the growth of Ĥ_N (Sec. 5.4), tail index against decay (Sec. 7). NaN
says that there is nothing to measure. Lemma 5.2 (Eqs. 41-42) and H_N of Eq. 39, put together from the estimates that
make N̂ and Ĥ_N, hold by arithmetic and test nothing: Appendix F has how wide the lemma is.
"""

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from scipy.stats import rankdata

from learnability.stats.fits import LineFit, fit_exponential, fit_line, fit_power


def residual(sample_complexity: pd.DataFrame) -> pd.Series:
    """R(ℓ) = log N̂(ℓ) - κ_α̂ (log σ̂_α(ℓ) - log Δ̂(ℓ)) (Eq. 73), NaN where N̂ = ∞.

    N̂ is the smallest sample size of the grid that suffices; with the closed form in its place R would be a
    function of α̂ alone, whatever the data.

    Args:
        sample_complexity: rows of `learnability.windows.detection.estimate_sample_complexity`.
    """
    columns = ("sample_complexity", "scale", "signal", "kappa")
    sample_size, scale, signal, kappa = (sample_complexity[name].to_numpy(dtype=float) for name in columns)
    usable = np.isfinite(sample_size) & (scale > 0) & (signal > 0)
    log_size, log_scale, log_signal = (
        np.log(np.where(usable, values, np.nan)) for values in (sample_size, scale, signal)
    )
    return pd.Series(log_size - kappa * (log_scale - log_signal), sample_complexity.index)


def signal_on_envelope(sample_complexity: pd.DataFrame) -> LineFit:
    """The line of log Δ̂(ℓ) over log f̂(ℓ): Eq. 72 says slope 1.

    Args:
        sample_complexity: rows of `learnability.windows.detection.estimate_sample_complexity` for one criterion, here
            and below.
    """
    return fit_line(_log(sample_complexity["envelope"]), _log(sample_complexity["signal"]))


def growth_exponent(window: pd.DataFrame, last_lag: int) -> float:
    """Slope of log Ĥ_N over log N, at N where the window is open and not at the end of the grid of lags.

    Args:
        window: rows of `learnability.windows.detection.learnability_window` for one criterion.
    """
    rows = window[(window["horizon"] > 0) & (window["horizon"] < last_lag)]
    return fit_line(np.log(rows["sample_size"].to_numpy()), np.log(rows["horizon"].to_numpy())).slope


def predicted_growth(sample_complexity: pd.DataFrame) -> float:
    """1/(κβ) (Sec. 5.4), κ of the median α̂, β of a power law through f̂; NaN for an f̂ that does not decay."""
    kappa = sample_complexity["kappa"][np.isfinite(sample_complexity["log_sample_complexity"])].median()
    beta = fit_power(sample_complexity["lag"].to_numpy(), sample_complexity["envelope"].to_numpy()).parameter
    return 1 / (kappa * beta) if beta > 0 else np.nan


def tail_and_decay(sample_complexity: pd.DataFrame) -> float:
    """Spearman's correlation over lags of α̂(ℓ) and the local decay rate -d log f̂/dℓ; NaN if α̂ is one for all lags.

    Positive if tails are heavier where f̂ decays slowly (Sec. 7).
    """
    log_f = _log(sample_complexity["envelope"])
    rate = -np.gradient(log_f, sample_complexity["lag"].to_numpy())
    usable = np.isfinite(rate) & sample_complexity["alpha"].notna().to_numpy()
    return rank_correlation(sample_complexity["alpha"].to_numpy()[usable], rate[usable])


def rank_correlation(x: Float[np.ndarray, " point"], y: Float[np.ndarray, " point"]) -> float:
    """Spearman's; NaN for fewer than three points, or if x or y does not vary."""
    return float(rank_correlations(x, y))


def rank_correlations(x: Float[np.ndarray, "... point"], y: Float[np.ndarray, " point"]) -> Float[np.ndarray, "..."]:
    """`rank_correlation` of each row of x with y."""
    a, b = (rankdata(values, axis=-1) - (len(y) + 1) / 2 for values in (x, y))
    size = np.sqrt((a**2).sum(-1) * (b**2).sum(-1))
    varies = (size > 0) & (len(y) >= 3)
    return np.where(varies, (a * b).sum(-1) / np.where(varies, size, 1), np.nan)


def rank_correlations_within(
    x: Float[np.ndarray, "... point"],
    y: Float[np.ndarray, "... point"],
    groups: Int[np.ndarray, "... point"],
    count: int,
) -> Float[np.ndarray, "... group"]:
    """`rank_correlation` of each row of x with y, within each group of points.

    Args:
        x, y: no value is NaN; y and groups are the same for all rows of x, or have rows that match these.
        groups: of each point, from 0; points of group `count` and beyond are left out.
        count: how many groups there are; one without points has NaN.
    """
    members = groups[..., None] == np.arange(count)
    sizes = members.sum(-2)
    centres = sizes.cumsum(-1) - (sizes - 1) / 2  # the mean rank in a group, if groups are ranked in turn
    centre = np.take_along_axis(centres, np.minimum(groups, count - 1), -1)
    a, b = (_ranks_in_turn(values, groups) - centre for values in (x, y))
    size = np.sqrt(_sums(a**2, members) * _sums(b**2, members))
    varies = (size > 0) & (sizes >= 3)
    return np.where(varies, _sums(a * b, members) / np.where(varies, size, 1), np.nan)


def _sums(
    values: Float[np.ndarray, "... point"], members: Bool[np.ndarray, "... point group"]
) -> Float[np.ndarray, "... group"]:
    return (values[..., None, :] @ members.astype(float))[..., 0, :]


def _ranks_in_turn(
    values: Float[np.ndarray, "... point"], groups: Int[np.ndarray, "... point"]
) -> Float[np.ndarray, "... point"]:
    """Ranks from 1, first by group and then by value; equal values of a group have their mean rank.

    `scipy.stats.rankdata` takes one group at a time, and longer for its checks than for few points.
    """
    values, groups = np.broadcast_arrays(values, groups)
    place = np.arange(values.shape[-1])
    order = np.lexsort((values, groups))
    sorted_values, sorted_groups = (np.take_along_axis(array, order, -1) for array in (values, groups))
    new = np.ones((*values.shape[:-1], values.shape[-1] + 1), dtype=bool)  # where another rank begins, or all end
    new[..., 1:-1] = (sorted_values[..., 1:] != sorted_values[..., :-1]) | (
        sorted_groups[..., 1:] != sorted_groups[..., :-1]
    )
    first = np.maximum.accumulate(np.where(new[..., :-1], place, 0), -1)
    last = np.minimum.accumulate(np.where(new[..., 1:], place, len(place))[..., ::-1], -1)[..., ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, -1)
    return ranks


def resampled_rank_correlations(
    x: Float[np.ndarray, " point"], y: Float[np.ndarray, " point"], copies: Int[np.ndarray, "draw point"]
) -> Float[np.ndarray, " draw"]:
    """`rank_correlation` of x and y in each draw, in which a point stands as often as `copies` says.

    NaN where it is, and in draws that have a point whose x or y is NaN.
    """
    total = copies.sum(1, keepdims=True)
    a, b = (_resampled_ranks(values, copies) - (total + 1) / 2 for values in (x, y))
    size = np.sqrt((copies * a**2).sum(1) * (copies * b**2).sum(1))
    blank = (copies[:, np.isnan(x) | np.isnan(y)] > 0).any(1)
    varies = (size > 0) & (total[:, 0] >= 3) & ~blank
    return np.where(varies, (copies * a * b).sum(1) / np.where(varies, size, 1), np.nan)


def _resampled_ranks(
    values: Float[np.ndarray, " point"], copies: Int[np.ndarray, "draw point"]
) -> Float[np.ndarray, "draw point"]:
    """Rank of each point in each draw; equal values have their mean rank."""
    distinct, place = np.unique(values, return_inverse=True)
    equal = copies @ np.eye(len(distinct))[place]
    return (equal.cumsum(1) - (equal - 1) / 2)[:, place]


def scaling_measures(sample_complexity: pd.DataFrame, window: pd.DataFrame, noise: pd.DataFrame) -> dict[str, float]:
    """The measures of this module for one run, by the names under which they are printed.

    Args:
        sample_complexity, window: rows of the reading's criterion.
        noise: of `learnability.windows.windowing.find_window`.
    """
    line, lags = signal_on_envelope(sample_complexity), sample_complexity["lag"].to_numpy()
    return {
        "Eq. 72, slope": line.slope,
        "Eq. 72, R²": line.r_squared,
        "growth of window": growth_exponent(window, int(lags.max())),
        "growth in theory": predicted_growth(sample_complexity),
        "tail index": float(sample_complexity["alpha"].median()),
        "by regression": float(noise["alpha_regression"].median()),
        "clipped": float(noise["alpha_clipped"].median()),
        "decay rate": 1 / fit_exponential(lags, sample_complexity["envelope"].to_numpy()).parameter,
        "tail index and decay": tail_and_decay(sample_complexity),
    }


def _log(values: pd.Series) -> Float[np.ndarray, " lag"]:
    """log, -∞ at 0; NaN stays."""
    with np.errstate(divide="ignore"):
        return np.log(values.to_numpy(dtype=np.float64))
