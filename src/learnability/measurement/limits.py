"""Limits of a window: what keeps the next lag from being detected, and which lags are cut off."""

import numpy as np
import pandas as pd

from learnability.measurement.labels import ENDS

VANISHES, DOMINATES, NO_SIGNAL = "the gradient vanishes", "noise dominates", "the mean gradient cannot be told from 0"
NO_TARGET = "no target lies this far behind an input"
RARE = "too few sequences have a target this far behind an input"
NO_LIMIT = "no measured lag is beyond the window"
"""Statement of a window that includes the largest measured lag; the five above are limits of a window."""
CUT_OFF = "the gradient is exactly 0 in every sequence"
FEWEST_SEQUENCES = 20
"""Smallest number of sequences with a target that a lag needs: as many as a stable fit."""


def find_limits(
    window: pd.DataFrame, sample_complexity: pd.DataFrame, noise: pd.DataFrame, exact: pd.DataFrame
) -> pd.DataFrame:
    """Table of `Measured.limits`, from the tables of these names."""
    windows = window[window["chosen"] & (window["transport"] == "exact")]
    windows = windows[windows["sample_size"] == windows["sequences"]]
    complexities = sample_complexity[sample_complexity["chosen"] & (sample_complexity["transport"] == "exact")]
    complexities = complexities.merge(exact[["lag", "spectral_norm"]], on="lag")
    keys = ["transport", "noise", "direction", "lag"]
    complexities = complexities.merge(noise[[*keys, "sequences_with_target"]], on=keys)
    rows = []
    for kind, of_kind in windows.groupby("noise", sort=False):
        limits = []
        for row in of_kind.to_dict("records"):
            along = complexities[(complexities["noise"] == kind) & (complexities["direction"] == row["direction"])]
            limits.append(limit_of(along.sort_values("lag"), row["horizon"], row["sequences"], str(kind)))
        median, low, high = of_kind[[f"horizon{end}" for end in ENDS]].median()
        further = exact["lag"][exact["lag"] > median]
        rows.append(
            {
                "noise": kind,
                "sequences": int(of_kind["sequences"].iloc[0]),
                "window": median,
                "window_low": low,
                "window_high": high,
                "lag": int(further.min()) if len(further) else 0,
                "limit": pd.Series(limits).mode()[0],
            }
        )
    return pd.DataFrame(rows)


def limit_of(complexities: pd.DataFrame, window: float, sequences: int, noise: str) -> str:
    """The limit of a window, as in `Measured.limits`.

    Args:
        complexities: rows of one direction in one noise, by lag: `lag`, `log_sample_complexity`, `kappa`,
            `spectral_norm`, `mean` and `spread` of the statistic, `sequences` and `sequences_with_target`.
    """
    beyond = complexities[complexities["lag"] > window]
    if beyond.empty:
        return NO_LIMIT
    at = beyond.iloc[0]
    count = at["sequences_with_target"]
    if not count:
        return NO_TARGET
    if count < FEWEST_SEQUENCES or (at["spread"] == 0 and count < at["sequences"]):
        return RARE
    if at["mean"] == at["spread"] == 0:
        return VANISHES
    if not np.isfinite(at["kappa"]):
        return DOMINATES
    with np.errstate(divide="ignore"):  # of a transport of 0
        loss = -at["kappa"] * np.log(complexities["spectral_norm"].clip(upper=1))
    without_loss = complexities["log_sample_complexity"] - loss
    is_finite, log_n = np.isfinite(at["log_sample_complexity"]), np.log(sequences)
    if is_finite:
        fades = without_loss[at.name] <= log_n
    else:
        strongest = without_loss[np.isfinite(complexities["log_sample_complexity"])].min()  # NaN, if there is none
        fades = np.isinf(loss[at.name]) or strongest <= log_n < strongest + loss[at.name]
    if fades and noise == "total":
        return VANISHES
    return DOMINATES if is_finite else NO_SIGNAL


def cut_off_lags(noise: pd.DataFrame) -> dict[str, list[int]]:
    """Lags at which no window is possible, by cause; from the table `noise` of `Measured`."""
    rows = noise[noise["transport"] == "exact"]
    count = rows["sequences_with_target"]
    is_zero = (rows["mean"] == 0) & (rows["spread"] == 0) & (count >= FEWEST_SEQUENCES)
    causes = {NO_TARGET: count == 0, RARE: (count > 0) & (count < FEWEST_SEQUENCES), CUT_OFF: is_zero}
    in_all_rows = {cause: holds.groupby(rows["lag"]).all() for cause, holds in causes.items()}
    return {cause: holds.index[holds].tolist() for cause, holds in in_all_rows.items()}
