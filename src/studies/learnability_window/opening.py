"""Order in which lags are detected in the gradient and learned, over all networks."""

from itertools import product

import numpy as np
import pandas as pd

from learnability.windows import opening
from learnability.windows.scaling import rank_correlation
from studies.learnability_window.resampling import NETWORK, correlation_interval

SHARES = (0.05, 0.1, 0.2, 0.5)
"""Shares of the coefficient c at which a response r counts as learned."""
SIZES = (16, 64)
"""Numbers of sequences N that must suffice, beside n, all that were measured."""
EARLY = 20
"""Epoch by which the order of initialisation may be gone."""
SETTLED = 10
"""Epoch from which on sample complexities of gates stay close to each other."""


def first_epochs(windows: pd.DataFrame, responses: pd.DataFrame, size: float = np.inf) -> pd.DataFrame:
    """`learnability.windows.opening.first_epochs` of this study's networks and `SHARES`."""
    return opening.first_epochs(windows, responses, NETWORK, SHARES, size)


def detected_before_learned(windows: pd.DataFrame, responses: pd.DataFrame, root_seed: int) -> pd.DataFrame:
    """Counts of lags that are detected before they are learned, over all networks and lags of the task.

    Args:
        windows, responses: as of `learnability.windows.opening.first_epochs`.
        root_seed: names the stream that resamples networks.

    Returns:
        A row for each noise, `N` of `SIZES` below n and n itself, and share of c: `networks`, `lags`, how many of all
        are learned at all, and of these detected `before`, at the `same` stored epoch or `after`, ∞ counting as after;
        Spearman's correlation of both epochs over all, never being last, with a 95 % interval that resamples networks.
        The rows of `permuted` errors say how often chance alone detects a lag, and does so first, over so many epochs.
    """
    sequences = int(windows["sequences"].max())
    sizes = [*(size for size in SIZES if size < sequences), sequences]
    by_size = {size: first_epochs(windows, responses, size) for size in sizes}
    rows = []
    for noise, size, least in product(by_size[sequences]["noise"].unique(), sizes, SHARES):
        epochs = by_size[size].query("noise == @noise")
        detection, learning = epochs["detected"], epochs[f"learned_{least}"]
        low, high = correlation_interval(epochs, "detected", f"learned_{least}", root_seed)
        rows.append(
            {
                "noise": noise,
                "N": size,
                "r/c": least,
                "networks": epochs.groupby(NETWORK).ngroups,
                "lags": len(epochs),
                **opening.in_order(detection, learning),
                "Spearman": rank_correlation(detection.to_numpy(), learning.to_numpy()),
                "low": low,
                "high": high,
            }
        )
    return pd.DataFrame(rows)
