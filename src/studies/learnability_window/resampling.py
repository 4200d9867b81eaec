"""Intervals over networks: rows of one network are not independent."""

import numpy as np
import pandas as pd

from learnability.core.streams import numpy_generator
from learnability.windows.scaling import rank_correlation

NETWORK = ["optimizer", "architecture", "seed"]
"""Columns that name a network."""
DRAWS = 1000


def correlation_interval(table: pd.DataFrame, first: str, second: str, root_seed: int) -> tuple[float, float]:
    """95 % interval of the rank correlation of two columns, over resamples of networks with all their rows.

    Args:
        root_seed: names, with `second`, the stream of resamples.
    """
    generator = numpy_generator(root_seed, 0, "networks", second)
    members = [rows[[first, second]].to_numpy() for _, rows in table.groupby(NETWORK, sort=False)]
    found = []
    for chosen in generator.integers(len(members), size=(DRAWS, len(members))):
        pairs = np.concatenate([members[index] for index in chosen])
        found.append(rank_correlation(pairs[:, 0], pairs[:, 1]))
    low, high = np.nanquantile(found, [0.025, 0.975]) if np.isfinite(found).any() else (np.nan, np.nan)
    return float(low), float(high)
