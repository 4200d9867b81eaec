"""Intervals over networks: rows of one network are not independent."""

import numpy as np
import pandas as pd

from learnability.core.streams import numpy_generator
from learnability.windows.scaling import resampled_rank_correlations

NETWORK = ["optimizer", "architecture", "seed"]
"""Columns that name a network."""
DRAWS = 1000


def correlation_interval(table: pd.DataFrame, first: str, second: str, root_seed: int) -> tuple[float, float]:
    """95 % interval of the rank correlation of two columns, over resamples of networks with all their rows.

    Args:
        root_seed: names, with `second`, the stream of resamples.
    """
    generator = numpy_generator(root_seed, 0, "networks", second)
    networks = table.groupby(NETWORK, sort=False)
    draws = generator.integers(networks.ngroups, size=(DRAWS, networks.ngroups))
    copies = (draws[:, :, None] == np.arange(networks.ngroups)).sum(1)[:, networks.ngroup()]
    correlations = resampled_rank_correlations(table[first].to_numpy(float), table[second].to_numpy(float), copies)
    low, high = np.nanquantile(correlations, [0.025, 0.975]) if np.isfinite(correlations).any() else (np.nan, np.nan)
    return float(low), float(high)
