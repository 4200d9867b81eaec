"""Growth of N₅₀ and of candidates with the lag, and learned shares of lags that are asked for together."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from jaxtyping import Float

from learnability.stats.thresholds import log_n50
from studies.ground_truth.contest import DRAWS, SETTING, by_moment, thresholds

LAWS: Mapping[str, Callable[[np.ndarray], np.ndarray]] = {
    "logarithm": lambda lag: np.log10(np.log(lag)),
    "power": np.log10,
    "exponential": lambda lag: lag,
}
"""Functions of the lag that log₁₀ N is linear in: N is a power of log ℓ, a power of ℓ, or an exponential."""
MOMENT = "start"
ROUNDING = 1e-12


def growth(
    half_learned: pd.DataFrame, candidates: pd.DataFrame, sizes: Float[np.ndarray, "size"], names: Sequence[str]
) -> pd.DataFrame:
    """Size and law of the growth of N₅₀, and of candidates at initialisation, with the lag.

    N₅₀ that is beyond the N of the grid is known by a bound, and so is its growth, a ratio: of the longest lag between
    l and L and the shortest between s and S, it is between l/S and L/s. The median over architectures is between the
    medians of both bounds. Laws are fitted with an offset for each architecture, on N₅₀ within the N of the grid.

    Args:
        half_learned: of `studies.ground_truth.contest.half_learned`, of grids with several lags and of settings that
            are learned from N = ∞.
        candidates: as `by_moment` takes them; their medians over seeds count.
        sizes: N that were tried.
        names: of candidates.

    Returns:
        A row for each `grid` and `quantity`, N₅₀ or a candidate: `decades_low` and `decades_high`, bounds of the median
        over `architectures` of log₁₀ of the ratio of the longest to the shortest lag, ∞ where there is none; of these
        architectures, how many are `censored`, known by a bound, or `infinite` at the longest lag; and R² of each of
        `LAWS` within architectures, NaN where nothing varies or fewer than three lags have a finite value.
    """
    value = by_moment(candidates).groupby([*SETTING, "candidate"])["value"].median().unstack() / np.log(10)
    table = half_learned.set_index(SETTING)[["n50"]].join(value[[f"{name}, {MOMENT}" for name in names]])
    with np.errstate(divide="ignore"):
        table["n50"] = np.log10(table["n50"].to_numpy())
    rows = []
    for grid, of_grid in table.groupby(level="grid", sort=False):
        for quantity in map(str, of_grid):
            ends = _ends_of_lags(of_grid[quantity])
            bounds = _censored_growth(*ends, np.log10(sizes)) if quantity == "n50" else _growth(*ends)
            finite = of_grid[np.isfinite(of_grid[quantity])].reset_index()
            laws = {law: _fit(finite, quantity, form) for law, form in LAWS.items()}
            rows.append({"grid": grid, "quantity": quantity, **bounds, **laws})
    return pd.DataFrame(rows)


def _ends_of_lags(values: "pd.Series[float]") -> tuple[np.ndarray, np.ndarray]:
    """Values at the shortest and the longest lag of a grid, of the architectures that have both."""
    by_lag = values.unstack("lag")
    complete = by_lag.loc[by_lag.notna().all(axis=1)] if by_lag.shape[1] > 1 else by_lag[:0]
    return complete[complete.columns.min()].to_numpy(), complete[complete.columns.max()].to_numpy()


def _censored_growth(short: np.ndarray, long: np.ndarray, log_sizes: np.ndarray) -> dict[str, float]:
    """Growth of N₅₀, of which -∞ is all below the smallest N and ∞ all beyond the largest."""
    (short_low, short_high), (long_low, long_high) = (_bounds(end, log_sizes) for end in (short, long))
    finite = np.isfinite(short) & np.isfinite(long)
    return {
        "decades_low": _median_of(long_low - short_high),
        "decades_high": _median_of(long_high - short_low),
        "architectures": len(short),
        "censored": int((~finite).sum()),
        "infinite": 0,
    }


def _bounds(values: np.ndarray, log_sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    low = np.where(values == np.inf, log_sizes.max(), values)
    return low, np.where(values == -np.inf, log_sizes.min(), values)


def _growth(short: np.ndarray, long: np.ndarray) -> dict[str, float]:
    """Growth of a candidate; an architecture in which it is ∞ at the shortest lag has none."""
    finite = np.isfinite(short)
    median = _median_of(long[finite] - short[finite])
    return {
        "decades_low": median,
        "decades_high": median,
        "architectures": int(finite.sum()),
        "censored": 0,
        "infinite": int(np.isinf(long[finite]).sum()),
    }


def _median_of(values: np.ndarray) -> float:
    """Median of values that may be infinite; NaN of none."""
    return float(np.quantile(values, 0.5, method="inverted_cdf")) if len(values) else np.nan


def size_ratios(trials: pd.DataFrame, durations: Mapping[str, int], generator: np.random.Generator) -> pd.DataFrame:
    """Ratios of N₅₀ in the larger networks, in sequences and in steps at which a lag can be learned.

    A sequence of T steps has T - ℓ at which the input of ℓ steps before has been seen; N sequences have N (T - ℓ). The
    larger networks have longer sequences, and so more such steps in each.

    Args:
        trials: as of `studies.ground_truth.contest.thresholds`, of the grids `sparse` and `larger`.
        durations: T of each grid.

    Returns:
        A row for each `architecture` and `lag` that both grids have: `ratio` of N₅₀ in `larger` to N₅₀ in `sparse`, and
        `steps_ratio` of N₅₀ (T - ℓ) in these grids. Each ratio has the ends of a 95 % interval that resamples the seeds
        of both grids, and is NaN where N₅₀ is beyond the N of a grid.
    """
    of_grid = {
        grid: thresholds(trials[trials["grid"] == grid]).groupby(["architecture", "lag"])["log_threshold"].apply(list)
        for grid in ("sparse", "larger")
    }
    pairs = of_grid["larger"].index.intersection(of_grid["sparse"].index)
    rows = []
    for architecture, lag in pairs:
        small, large = (np.array(of_grid[grid][architecture, lag]) for grid in ("sparse", "larger"))
        ratio = log_ratio(large[None], small[None])[0]
        resamples = (end[generator.integers(len(end), size=(DRAWS, len(end)))] for end in (large, small))
        ends = np.quantile(log_ratio(*resamples), [0.025, 0.975], method="inverted_cdf")
        ratios = np.exp([ratio, *ends])
        steps = (durations["larger"] - lag) / (durations["sparse"] - lag)
        rows.append([architecture, lag, *ratios, *(ratios * steps)])
    ends_of = [f"{name}{end}" for name in ("ratio", "steps_ratio") for end in ("", "_low", "_high")]
    return pd.DataFrame(rows, columns=["architecture", "lag", *ends_of])


def compare_sizes(*of_units: Iterable[float]) -> str:
    """Answer whether networks of twice the size require as much data, from ratios of N₅₀ in sequences and in steps.

    Args:
        of_units: ratios of N₅₀ of the larger networks to that of the small ones, in each unit.

    Returns:
        "No" if every ratio is above 1, or every one is below: larger networks need more, or fewer, in any unit. Else
        "Undecided".
    """
    ratios = [ratio for of_unit in of_units for ratio in of_unit]
    return "No" if min(ratios) > 1 or max(ratios) < 1 else "Undecided"


def log_ratio(large: Float[np.ndarray, "... seed"], small: Float[np.ndarray, "... other"]) -> Float[np.ndarray, "..."]:
    """log N₅₀ of the one less that of the other, NaN where either is infinite."""
    with np.errstate(invalid="ignore"):
        difference = log_n50(large) - log_n50(small)
    return np.where(np.isfinite(difference), difference, np.nan)


def _fit(table: pd.DataFrame, quantity: str, form: Callable[[np.ndarray], np.ndarray]) -> float:
    """R² of a straight line of one slope, after architectures' means are taken off."""
    if table["lag"].nunique() < 3:
        return np.nan
    x = _centred(table, form(table["lag"].to_numpy(dtype=float)))
    y = _centred(table, table[quantity].to_numpy())
    total, level = y @ y, np.abs(table[quantity]).max()
    return float((x @ y) ** 2 / (x @ x) / total) if total > (ROUNDING * level) ** 2 else np.nan


def _centred(table: pd.DataFrame, values: Float[np.ndarray, "row"]) -> Float[np.ndarray, "row"]:
    return (pd.Series(values) - pd.Series(values).groupby(table["architecture"]).transform("mean")).to_numpy()


def learned_share(trials: pd.DataFrame) -> pd.DataFrame:
    """Median share r/c over seeds, of each lag from each N.

    Args:
        trials: as of `studies.ground_truth.contest.thresholds`, with seeds.

    Returns:
        A row for each setting, a column `N = 25` for each N.
    """
    median = trials.fillna({"share": 0.0}).groupby([*SETTING, "sample_size"], sort=False)["share"].median().unstack()
    return median.rename(columns=lambda size: "N = ∞" if np.isinf(size) else f"N = {size:g}").reset_index()
