"""Draws from the standard symmetric α-stable law."""

import numpy as np
from jaxtyping import Float

from learnability.core.errors import require
from learnability.stats.stable.law import TAIL_INDEX_RANGE


def draw(alpha: float, shape: int | tuple[int, ...], generator: np.random.Generator) -> Float[np.ndarray, "..."]:
    """Independent variates with characteristic function exp(-|t|^α), by Chambers, Mallows and Stuck (1976).

        X = sin(αV) / cos(V)^{1/α} · (cos((1-α)V) / W)^{(1-α)/α}

    V is uniform on (-π/2, π/2), W exponential with mean 1. Finite at α = 1 (X = tan V) and α = 2
    (X = 2 sin(V) √W) without a special case.

    Args:
        alpha: tail index α in [0.8, 2].
        shape: of the array.
        generator: source of V, then W.

    Raises:
        InputError: for α out of range.
    """
    low, high = TAIL_INDEX_RANGE
    require(bool(low <= alpha <= high), "alpha", f"in [{low}, {high}]", alpha)
    v, w = generator.uniform(-np.pi / 2, np.pi / 2, shape), generator.exponential(size=shape)
    return np.sin(alpha * v) / np.cos(v) ** (1 / alpha) * (np.cos((1 - alpha) * v) / w) ** ((1 - alpha) / alpha)
