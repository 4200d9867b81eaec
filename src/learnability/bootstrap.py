"""Bootstrap over sequences: what else the same measurement could have given.

Sequences are independent, the t of a sequence are not: whole sequences are drawn with replacement.
"""

import numpy as np
import xarray as xr
from jaxtyping import Float, Int

from learnability.errors import require


def sequence_weights(sequences: int, draws: int, generator: np.random.Generator) -> Int[np.ndarray, "draw sequence"]:
    """How often each sequence comes in each draw: multinomial, each row adds up to `sequences`."""
    return generator.multinomial(sequences, np.full(sequences, 1 / sequences), size=draws)


def family_wise_bound(
    statistic: xr.Dataset, level: float, draws: int, generator: np.random.Generator
) -> Float[np.ndarray, "lag"]:
    """Lower confidence bounds of the mean of S that hold at all lags at once with probability 1 - level.

    With m̂ the mean at a lag, m* its bootstrap draws and s their standard deviation: m̂ - c s, c the (1 - level)-quantile
    over draws of max_ℓ (m* - m̂)/s. Without noise at a lag (s = 0) the bound is m̂.

    Args:
        level: of all lags together, in (0, 1/2).

    Raises:
        InputError: for another level.
    """
    require(0 < level < 0.5, "level", "in (0, 0.5)", level)
    values = statistic["statistic"].transpose("lag", "sequence", ...).to_numpy()
    by_sequence = values.reshape(*values.shape[:2], -1).mean(-1)
    mean = by_sequence.mean(-1)
    deviations = by_sequence - mean[:, None]
    moved = sequence_weights(by_sequence.shape[1], draws, generator) @ deviations.T / by_sequence.shape[1]
    spread = moved.std(0)
    largest = np.max(moved / np.where(spread > 0, spread, np.inf), axis=1)
    return mean - np.quantile(largest, 1 - level) * spread
