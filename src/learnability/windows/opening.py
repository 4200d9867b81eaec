"""Epochs of a training at which a lag is first detected in the gradient, and first learned."""

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
        r/c reaches so much. The noise `permuted` is of errors of another sequence, with which there is nothing to
        detect.
    """
    of_lag = [*network, "lag"]
    table = windows.assign(noise=windows["noise"].where(windows["control"] == "none", "permuted"))
    suffices = table["log_sample_complexity"] <= np.log(table[most].clip(upper=size))
    detection = first(table, suffices, [*of_lag, "noise"]).rename("detected")
    task_rows = responses[responses["coefficient"] != 0]
    share = task_rows["response"] / task_rows["coefficient"]
    columns = {f"learned_{least}": first(task_rows, share >= least, of_lag) for least in shares}
    return detection.reset_index().merge(pd.DataFrame(columns).reset_index(), on=of_lag)


def first(table: pd.DataFrame, holds: "pd.Series[bool]", keys: Sequence[str]) -> "pd.Series[float]":
    """The first epoch of each group of rows at which something holds, ∞ if it never does."""
    return table["epoch"].astype(float).where(holds, np.inf).groupby([table[key] for key in keys], sort=False).min()


def in_order(detected: "pd.Series[float]", learned: "pd.Series[float]") -> dict[str, int]:
    """Count learned lags, and among them lags detected `before`, at the `same` stored epoch or `after`.

    Args:
        detected, learned: first epochs of the same lags, ∞ for never, which counts as after.

    Returns:
        These counts, and the number of lags that are detected and never learned.
    """
    ever = np.isfinite(learned)
    return {
        "learned": int(ever.sum()),
        "detected before": int((detected < learned)[ever].sum()),
        "same": int((detected == learned)[ever].sum()),
        "after": int((detected > learned)[ever].sum()),
        "detected, not learned": int((np.isfinite(detected) & ~ever).sum()),
    }
