"""When a lag is detected in the gradient, and when it is learned: the epochs of a training at which each begins."""

from itertools import product

import numpy as np
import pandas as pd

from learnability.windows.scaling import rank_correlation
from studies.learnability_window.resampling import NETWORK, correlation_interval

SHARES = (0.05, 0.1, 0.2, 0.5)
"""Of the coefficient c at which a response r counts as learned."""
SIZES = (16, 64)
"""Numbers of sequences N that must suffice, beside n, all that were measured."""
EARLY = 20
"""Epoch by which the order of initialisation may be gone."""


def first_epochs(windows: pd.DataFrame, responses: pd.DataFrame, size: float = np.inf) -> pd.DataFrame:
    """The first stored epochs at which each lag of the task is detected and learned, of each network; ∞ for never.

    A lag is detected where N sequences suffice, N̂(ℓ) ≤ N: N̂ = ∞ where the mean of S is not above 0 with confidence, at
    all lags together, in the n sequences that were measured.

    Args:
        windows, responses: `training_windows` and `training_responses` of `windows.through_training.measure_training`,
            with the columns that name a network.
        size: N; n where it is less.

    Returns:
        A row for each network, `noise` and lag: `detected`, and `learned_0.1` and the like of each of `SHARES`, where
        r/c reaches so much. The noise `permuted` is that of errors of another sequence, with which there is nothing to
        detect.
    """
    of_lag = [*NETWORK, "lag"]
    named = windows.assign(noise=windows["noise"].where(windows["control"] == "none", "permuted"))
    suffices = named["log_sample_complexity"] <= np.log(named["sequences"].clip(upper=size))
    detected = first(named, suffices, [*of_lag, "noise"]).rename("detected")
    asked = responses[responses["coefficient"] != 0]
    share = asked["response"] / asked["coefficient"]
    learned = {f"learned_{least}": first(asked, share >= least, of_lag) for least in SHARES}
    return detected.reset_index().merge(pd.DataFrame(learned).reset_index(), on=of_lag)


def first(table: pd.DataFrame, holds: "pd.Series[bool]", keys: list[str]) -> "pd.Series[float]":
    """The first epoch of each group of rows at which something holds, ∞ if it never does."""
    return table["epoch"].astype(float).where(holds, np.inf).groupby([table[key] for key in keys], sort=False).min()


def detected_before_learned(windows: pd.DataFrame, responses: pd.DataFrame, root_seed: int) -> pd.DataFrame:
    """Whether lags are detected before they are learned, over all networks and lags of the task.

    Args:
        windows, responses: as of `first_epochs`.
        root_seed: names the stream that resamples networks.

    Returns:
        A row for each noise, `N` of `SIZES` below n and n itself, and share of c: `networks`, `lags`, how many of all
        are learned at all, and of these detected `before`, at the `same` stored epoch or `after`, ∞ counting as after;
        Spearman's correlation of both epochs over all, never being last, with a 95 % interval that resamples networks.
        The rows of `permuted` errors say how often chance alone detects a lag, and does so first, over so many epochs.
    """
    measured = int(windows["sequences"].max())
    sizes = [*(size for size in SIZES if size < measured), measured]
    by_size = {size: first_epochs(windows, responses, size) for size in sizes}
    rows = []
    for noise, size, least in product(by_size[measured]["noise"].unique(), sizes, SHARES):
        epochs = by_size[size].query("noise == @noise")
        detected, learned = epochs["detected"], epochs[f"learned_{least}"]
        ever = np.isfinite(learned)
        low, high = correlation_interval(epochs, "detected", f"learned_{least}", root_seed)
        rows.append(
            {
                "noise": noise,
                "N": size,
                "r/c": least,
                "networks": epochs.groupby(NETWORK).ngroups,
                "lags": len(epochs),
                "learned": int(ever.sum()),
                "detected before": int((detected < learned)[ever].sum()),
                "same": int((detected == learned)[ever].sum()),
                "after": int((detected > learned)[ever].sum()),
                "detected, not learned": int((np.isfinite(detected) & ~ever).sum()),
                "Spearman": rank_correlation(detected.to_numpy(), learned.to_numpy()),
                "low": low,
                "high": high,
            }
        )
    return pd.DataFrame(rows)
