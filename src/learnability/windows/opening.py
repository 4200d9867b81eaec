"""When a lag is detected in the gradient, and when it is learned: the epochs of a training at which each begins."""

from collections.abc import Sequence

import numpy as np
import pandas as pd


def first_epochs(
    windows: pd.DataFrame,
    responses: pd.DataFrame,
    network: Sequence[str],
    shares: Sequence[float],
    size: float = np.inf,
    most: str = "sequences",
) -> pd.DataFrame:
    """The first stored epochs at which each lag of the task is detected and learned, of each network; ∞ for never.

    A lag is detected where N sequences suffice, N̂(ℓ) ≤ N: N̂ = ∞ where the mean of S is not above 0 with confidence, at
    all lags together, in the n sequences that were measured.

    Args:
        windows, responses: `training_windows` and `training_responses` of `windows.through_training.measure_training`,
            with the columns that name a network.
        network: these columns.
        shares: of the coefficient c at which a response r counts as learned.
        size: N; where it is more than `most`, that.
        most: column of `windows` with the most sequences to count on: n, or as many as N̂ is extrapolated to.

    Returns:
        A row for each network, `noise` and lag: `detected`, and `learned_0.1` and the like of each of `shares`, where
        r/c reaches so much. The noise `permuted` is that of errors of another sequence, with which there is nothing to
        detect.
    """
    of_lag = [*network, "lag"]
    named = windows.assign(noise=windows["noise"].where(windows["control"] == "none", "permuted"))
    suffices = named["log_sample_complexity"] <= np.log(named[most].clip(upper=size))
    detected = first(named, suffices, [*of_lag, "noise"]).rename("detected")
    asked = responses[responses["coefficient"] != 0]
    share = asked["response"] / asked["coefficient"]
    learned = {f"learned_{least}": first(asked, share >= least, of_lag) for least in shares}
    return detected.reset_index().merge(pd.DataFrame(learned).reset_index(), on=of_lag)


def first(table: pd.DataFrame, holds: "pd.Series[bool]", keys: Sequence[str]) -> "pd.Series[float]":
    """The first epoch of each group of rows at which something holds, ∞ if it never does."""
    return table["epoch"].astype(float).where(holds, np.inf).groupby([table[key] for key in keys], sort=False).min()


def in_order(detected: "pd.Series[float]", learned: "pd.Series[float]") -> dict[str, int]:
    """How many lags are learned at all, and of these detected `before`, at the `same` stored epoch or `after`.

    Args:
        detected, learned: first epochs of the same lags, ∞ for never, which counts as after.

    Returns:
        And how many are detected and never learned.
    """
    ever = np.isfinite(learned)
    return {
        "learned": int(ever.sum()),
        "detected before": int((detected < learned)[ever].sum()),
        "same": int((detected == learned)[ever].sum()),
        "after": int((detected > learned)[ever].sum()),
        "detected, not learned": int((np.isfinite(detected) & ~ever).sum()),
    }
