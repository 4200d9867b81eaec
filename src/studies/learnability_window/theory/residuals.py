"""Appendix H: what the residual R(ℓ) of the scaling law can show (Eqs. 72-73).

    R = log N̂ - κ (log σ̂ - log Δ̂)      Eq. 73

With N̂ by Eq. 40 it is (κ/2) log(log(1/2ε)/c_α̂), a function of α̂ alone; on a grid of N the rounding of N̂ adds at most
the logarithm of a step. So R tests the law only where N̂ comes from errors that were counted. Eq. 72, Δ̂ ∝ f̂, can be
tested.
"""

import numpy as np
import pandas as pd

from learnability.stats.fits import fit_line
from learnability.windows.scaling import residual
from studies.learnability_window.theory.sample_complexity import NAMES


def residual_table(sample_complexity: pd.DataFrame) -> pd.DataFrame:
    """R(ℓ) under the criterion `fano`, with N̂ on the grid of N and with the N of Eq. 40 itself.

    Args:
        sample_complexity: rows of `learnability.windows.detection.estimate_sample_complexity`.

    Returns:
        A row for each of `sample_complexity` with a finite N of Eq. 40: its columns, `residual` R, NaN where N̂ = ∞, and
        `closed_form`, R with that N in place of N̂.
    """
    rows = sample_complexity[
        (sample_complexity["criterion"] == "fano") & np.isfinite(sample_complexity["log_sample_complexity"])
    ]
    closed_form = rows["log_sample_complexity"] - rows["kappa"] * (np.log(rows["scale"]) - np.log(rows["signal"]))
    return rows.assign(residual=residual(rows), closed_form=closed_form)


def signal_table(sample_complexity: pd.DataFrame) -> pd.DataFrame:
    """Eq. 72: the slope of log Δ̂ over log f̂, which is 1 where Δ̂ ∝ f̂, and its R².

    Args:
        sample_complexity: with columns architecture, seed and direction.

    Returns:
        A row for each network and direction w: `architecture`, `seed`, `direction`, `slope`, `r_squared`, `lags`.
    """
    rows = []
    for names, group in sample_complexity[sample_complexity["criterion"] == "fano"].groupby(NAMES, sort=False):
        positive = group[(group["signal"] > 0) & (group["envelope"] > 0)]
        line = fit_line(np.log(positive["envelope"].to_numpy()), np.log(positive["signal"].to_numpy()))
        row = dict(zip(NAMES, names, strict=True))
        rows.append(row | {"slope": line.slope, "r_squared": line.r_squared, "lags": line.points})
    return pd.DataFrame(rows)


def tabulate(sample_complexity: pd.DataFrame) -> pd.DataFrame:
    """Eq. 72 and the parts of R, from the table `sample_complexity`; medians over seeds and directions w.

    Returns:
        A row for each architecture: `architecture`; `slope`, `r_squared` and `lags` of Eq. 72; largest less smallest
        over lags: `residual_range` of R, `closed_form_range` of R with the N of Eq. 40 on the same lags,
        `rounding_range` of the difference.
    """
    residuals = residual_table(sample_complexity).dropna(subset="residual")
    residuals = residuals.assign(rounding=residuals["residual"] - residuals["closed_form"])
    parts = residuals.groupby(NAMES, sort=False)[["residual", "closed_form", "rounding"]]
    ranges = (parts.max() - parts.min()).add_suffix("_range")
    table = signal_table(sample_complexity).set_index(NAMES).join(ranges)
    return table.groupby("architecture", sort=False).median().reset_index()
