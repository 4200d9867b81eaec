"""Memory capacity: how much of past inputs a readout of the state recalls (Jaeger 2001, *Short term memory*)."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from learnability.core.errors import require
from learnability.reservoirs.ridge import fit_readout


def memory_capacity(
    states: Float64[ndarray, "sequence time unit"],
    inputs: Float64[ndarray, "sequence time"],
    lags: Sequence[int],
    washout: int,
    penalty: float = 0.0,
) -> Float64[ndarray, "lag"]:
    """r²(ℓ), the share of the variance of x_{t-ℓ} that a readout of h_t explains; summed over ℓ at most the units.

    The readout is fitted to the first half of the steps behind the washout, and judged by the second: of its own
    samples it would recall noise, a share of about units/samples at each lag, and the sum over many lags would exceed
    the units. What is worse than the mean counts as 0.

    Args:
        inputs: x_t, independent of each other, for otherwise one recalls the next.
        lags: ℓ.
        washout: steps that do not count, at least the longest lag.

    Raises:
        InputError: for a washout below the longest lag, or one that leaves fewer than two steps to each half.
    """
    steps = inputs.shape[1]
    require(max(lags) <= washout < steps - 3, "washout", f"from {max(lags)}, the longest lag, to {steps - 4}", washout)
    past = np.stack([np.roll(inputs, lag, 1) for lag in lags], -1)
    half = (washout + steps) // 2
    weights, offset = fit_readout(states[:, :half], past[:, :half], penalty, washout)
    wanted = past[:, half:]
    errors = ((states[:, half:] @ weights + offset - wanted) ** 2).mean((0, 1))
    recalled: ndarray = 1 - errors / wanted.var((0, 1))
    return recalled.clip(0)
