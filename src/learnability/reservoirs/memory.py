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
    the units. What is worse than the mean counts as 0. Too few samples make the capacity smaller, never larger.

    Args:
        inputs: x_t, independent of each other, for otherwise one recalls the next.
        lags: ℓ, each at least 0.
        washout: steps that do not count, at least the longest lag.

    Raises:
        InputError: for no lag or a negative one, a washout below the longest lag, or one that leaves fewer than two
            steps to each half, or inputs that are all the same.
    """
    steps = inputs.shape[1]
    require(len(lags) > 0 and min(lags) >= 0, "lags", "at least one, each at least 0", list(lags))
    require(max(lags) <= washout < steps - 3, "washout", f"from {max(lags)}, the longest lag, to {steps - 4}", washout)
    past = np.stack([np.roll(inputs, lag, 1) for lag in lags], -1)
    half = (washout + steps) // 2
    weights, offset = fit_readout(states[:, :half], past[:, :half], penalty, washout)
    wanted = past[:, half:]
    require(bool((wanted.var((0, 1)) > 0).all()), "inputs", "not all the same", float(inputs[0, 0]))
    errors = ((states[:, half:] @ weights + offset - wanted) ** 2).mean((0, 1))
    recalled: ndarray = 1 - errors / wanted.var((0, 1))
    return recalled.clip(0)
