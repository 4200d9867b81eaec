"""Series that a reservoir continues on its own, its prediction its next input (Jaeger & Haas 2004)."""

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from learnability.reservoirs.reservoir import Reservoir


def generate(
    reservoir: Reservoir,
    weights: Float64[ndarray, "unit output"],
    offset: Float64[ndarray, "output"],
    given: Float64[ndarray, "sequence time output"],
    steps: int,
) -> Float64[ndarray, "sequence step output"]:
    """Run on the `given` part of a series, then for `steps` on predictions: ŷ_t = W_out h_t + c, x_{t+1} = ŷ_t.

    Args:
        weights, offset: a readout that was fitted to the next value of a series, the outputs being the inputs.
    """
    state = reservoir.states(given)[:, -1]
    found = []
    for _ in range(steps):
        found.append(state @ weights + offset)
        state = reservoir.states(found[-1][:, None], state)[:, 0]
    return np.stack(found, 1)
