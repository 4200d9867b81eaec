"""The noise of the matched statistic: its mean and its SαS fit at each lag (paper Sec. 5.3.1)."""

import logging
from dataclasses import dataclass

import numpy as np
import pandas as pd
import xarray as xr

from learnability.errors import require, require_available
from learnability.stable import ESTIMATORS, location_informations

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class NoiseOptions:
    """How the law of S is read.

    Args:
        estimator: a name in `learnability.stable.ESTIMATORS`.
        tail_index: α̂ fitted `per_lag`.
        numerical_floor: an interquartile range below this counts as no noise: (α̂, σ̂) = (2, 0) and the lag is not
            detectable, as in the author's public code (1e-12). 0 switches it off.

    Raises:
        InputError: for a value that is not built or a negative floor.
    """

    estimator: str
    tail_index: str
    numerical_floor: float

    def __post_init__(self) -> None:
        require_available("estimator", self.estimator, ESTIMATORS)
        require_available("tail_index", self.tail_index, ["per_lag"])
        require(self.numerical_floor >= 0, "numerical_floor", "at least 0", self.numerical_floor)


def fit_noise(statistic: xr.Dataset, options: NoiseOptions) -> pd.DataFrame:
    """Fit S at each lag, over all kept (t, sequence) pairs.

    Returns:
        A row for each lag: `signal` Δ̂ = |mean S|, `alpha`, `scale`, `location`, `information` I_α̂, `envelope` f̂,
        `samples`, and the flags `clipped`, `degenerate` (no fit; numbers are NaN), `floored`.
    """
    values = statistic["statistic"].transpose("lag", "sequence", "time").to_numpy()
    pooled = values.reshape(len(values), -1)
    fit = ESTIMATORS[options.estimator](pooled)
    floored = fit.spread < options.numerical_floor
    alpha = np.where(floored, 2.0, fit.alpha)
    table = pd.DataFrame(
        {
            "lag": statistic["lag"].to_numpy(),
            "signal": np.abs(pooled.mean(-1)),
            "alpha": alpha,
            "scale": np.where(floored, 0.0, fit.scale),
            "location": fit.location,
            "information": location_informations(alpha),
            "envelope": statistic["envelope"].to_numpy(),
            "samples": pooled.shape[-1],
            "clipped": fit.clipped & ~floored,
            "degenerate": fit.degenerate & ~floored,
            "floored": floored,
        }
    )
    heavy = table.loc[table["alpha"] < 1.2, "lag"]
    if len(heavy):
        log.warning("Tail index below 1.2 at %d of %d lags: N̂ grows as a power α/(α-1) > 6.", len(heavy), len(table))
    return table
