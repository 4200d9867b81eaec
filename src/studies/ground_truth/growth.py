"""How N₅₀ and the candidates grow with the lag, and what was learned of lags that are asked for together."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
from jaxtyping import Float

from studies.ground_truth.contest import SETTING, by_moment, clipped

LAWS: Mapping[str, Callable[[np.ndarray], np.ndarray]] = {
    "logarithm": lambda lag: np.log10(np.log(lag)),
    "power": np.log10,
    "exponential": lambda lag: lag,
}
"""What log₁₀ N is linear in, if N is a power of the lag's logarithm, a power of the lag, or an exponential."""
MOMENT = "start"
ROUNDING = 1e-12


def growth(
    half_learned: pd.DataFrame, candidates: pd.DataFrame, sizes: Float[np.ndarray, "size"], names: Sequence[str]
) -> pd.DataFrame:
    """By which law N₅₀ and candidates at initialisation grow with the lag, an offset for each architecture.

    Args:
        half_learned: of `studies.ground_truth.contest.half_learned`, of grids with several lags and of settings that
            are learned from N = ∞; N₅₀ beyond the N that were tried counts as in the contest.
        candidates: as `by_moment` takes them; their medians over seeds count.
        sizes: N that were tried.
        names: of candidates.

    Returns:
        A row for each `grid` and `quantity`, N₅₀ or a candidate: `decades` of N from the shortest to the longest lag,
        the median over architectures that have both, and R² of each of `LAWS` within architectures, NaN where nothing
        varies or fewer than three lags have a finite value.
    """
    value = by_moment(candidates).groupby([*SETTING, "candidate"])["value"].median().unstack() / np.log(10)
    found = half_learned.set_index(SETTING)[["n50"]].join(value[[f"{name}, {MOMENT}" for name in names]])
    with np.errstate(divide="ignore"):
        found["n50"] = clipped(np.log(found["n50"].to_numpy()), sizes)
    rows = []
    for grid, table in found.groupby(level="grid", sort=False):
        for quantity in found:
            finite = table[np.isfinite(table[quantity])].reset_index()
            laws = {law: _fit(finite, str(quantity), form) for law, form in LAWS.items()}
            rows.append({"grid": grid, "quantity": quantity, "decades": _decades(finite, str(quantity)), **laws})
    return pd.DataFrame(rows)


def _decades(table: pd.DataFrame, quantity: str) -> float:
    by_lag = table.pivot(index="architecture", columns="lag", values=quantity)
    return float((by_lag.iloc[:, -1] - by_lag.iloc[:, 0]).median()) if by_lag.shape[1] > 1 else np.nan


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
