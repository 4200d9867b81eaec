"""The linear filter that a reservoir is without its tanh."""

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from learnability.reservoirs import Reservoir


def linear_states(
    reservoir: Reservoir, inputs: Float64[ndarray, "sequence time input"]
) -> Float64[ndarray, "sequence time unit"]:
    """States h_t = W h_{t-1} + W_in x_t from h_0 = 0, with the weights of a reservoir."""
    states = np.zeros((inputs.shape[1] + 1, reservoir.units, len(inputs)))
    for t, x in enumerate(inputs.swapaxes(0, 1), 1):
        states[t] = reservoir.recurrent @ states[t - 1] + reservoir.input @ x.T
    return states[1:].transpose(2, 0, 1)
