"""Appendix H: what the residual R(ℓ) of the scaling law can show (Eqs. 72-73).

    R = log N̂ - κ (log σ̂ - log Δ̂)      Eq. 73

With N̂ by Eq. 40 it is (κ/2) log(log(1/2ε)/c_α̂), a function of α̂ alone; on a grid of N the rounding of N̂ adds to it, at
most the logarithm of a step. So R is no test of the law unless N̂ comes from errors that were counted. What is one is
Eq. 72, Δ̂ ∝ f̂.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from jaxtyping import Float

from learnability.detection import fano_log_need
from learnability.fits import fit_line
from learnability.scaling import residual
from learnability.stable import location_informations

Array = Float[np.ndarray, "..."]


def closed_form_residual(alpha: Array, error_level: float) -> Array:
    """R of Eq. 73 with N̂ of Eq. 40: its log N at σ = Δ."""
    alpha = np.asarray(alpha, dtype=np.float64)
    one = np.ones_like(alpha)
    return fano_log_need(one, alpha, one, location_informations(alpha), error_level)


def residual_table(need: pd.DataFrame, error_level: float) -> pd.DataFrame:
    """R(ℓ) under the criterion `fano` beside what α̂ and rounding make of it.

    Args:
        need: rows of `learnability.detection.sample_need`.

    Returns:
        A row for each of `need` with N̂ on the grid: its columns, `residual` R, `closed_form`, and `rounding`, log N̂ less
        the closed form of log N. R is the sum of both.
    """
    rows = need[need["criterion"] == "fano"]
    rows = rows.assign(residual=residual(rows)).dropna(subset="residual")
    closed = closed_form_residual(rows["alpha"].to_numpy(), error_level)
    return rows.assign(closed_form=closed, rounding=np.log(rows["need"]) - rows["log_need"])


def signal_table(need: pd.DataFrame) -> pd.DataFrame:
    """Eq. 72: the slope of log Δ̂ over log f̂, which is 1 where Δ̂ ∝ f̂, and its R².

    Args:
        need: with columns architecture and seed.

    Returns:
        A row for each network: `architecture`, `seed`, `slope`, `r_squared`, `lags`.
    """
    rows = []
    for (architecture, seed), group in need[need["criterion"] == "fano"].groupby(["architecture", "seed"], sort=False):
        used = group[(group["signal"] > 0) & (group["envelope"] > 0)]
        line = fit_line(np.log(used["envelope"].to_numpy()), np.log(used["signal"].to_numpy()))
        row = {"architecture": architecture, "seed": seed, "slope": line.slope, "r_squared": line.r_squared}
        rows.append(row | {"lags": line.points})
    return pd.DataFrame(rows)


def tabulate(tables: Mapping[str, pd.DataFrame], error_level: float) -> pd.DataFrame:
    """From the table `need`, medians over seeds: `slope` and `r_squared` of Eq. 72, and what R is made of.

    Returns:
        A row for each architecture: `architecture`, `slope`, `r_squared`, `lags`; `residual_range`, largest less smallest R
        over lags and seeds, `closed_form_range` and `rounding_range`, and `left`, the largest |R - closed form - rounding|.
    """
    signal = signal_table(tables["need"]).drop(columns="seed").groupby("architecture", sort=False).median()
    found = residual_table(tables["need"], error_level)
    found["left"] = (found["residual"] - found["closed_form"] - found["rounding"]).abs()
    parts = found.groupby("architecture", sort=False)
    for name in ("residual", "closed_form", "rounding"):
        signal[f"{name}_range"] = parts[name].agg(np.ptp)
    return signal.assign(left=parts["left"].max()).reset_index()
