"""Memory capacity: how much of past inputs a linear readout of the state recalls (Jaeger 2001, *Short term memory*)."""

from collections.abc import Callable, Sequence

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from learnability.core.errors import lookup, require, require_one_of
from learnability.reservoirs.ridge import fit_readout

HELD_OUT = ("sequences", "steps")
"""Test data of the readout, to which it was not fitted: sequences, or later steps of one series."""


def explained(predicted: Float64[ndarray, "sample lag"], wanted: Float64[ndarray, "sample lag"]) -> ndarray:
    """1 - mean squared error / variance of the input, 0 where the error is larger."""
    shares: ndarray = 1 - ((predicted - wanted) ** 2).mean(0) / wanted.var(0)
    return shares.clip(0)


def squared_correlation(predicted: Float64[ndarray, "sample lag"], wanted: Float64[ndarray, "sample lag"]) -> ndarray:
    """Jaeger's cov²(ŷ, x) / (var ŷ var x), which forgives a wrong scale; 0 where a readout is constant."""
    deviations, input_deviations = predicted - predicted.mean(0), wanted - wanted.mean(0)
    sizes = (deviations**2).sum(0) * (input_deviations**2).sum(0)
    products = (deviations * input_deviations).sum(0) ** 2
    return np.divide(products, sizes, out=np.zeros_like(sizes), where=sizes > 0)


QUANTITIES: dict[str, Callable[[ndarray, ndarray], ndarray]] = {
    "explained": explained,
    "squared_correlation": squared_correlation,
}
"""Quantities that are summed over lags."""


def memory_capacity(
    states: Float64[ndarray, "sequence time unit"],
    inputs: Float64[ndarray, "series step"],
    lags: Sequence[int],
    washout: int,
    *,
    held_out: str,
    quantity: str = "explained",
    penalty: float = 0.0,
) -> Float64[ndarray, "lag"]:
    """The share of x_{t-ℓ} that a readout of h_t recalls, at each lag ℓ; its sum over lags is at most the units.

    The readout is fitted to one half of the data and judged on the other: on its own samples it would recall noise, a
    share of about units/samples at each lag. With few samples `explained` is too small on average; the squared
    correlation is too large by about 1/samples at each lag without memory.

    Args:
        inputs: x_t, independent of each other, for otherwise one recalls the next.
        lags: ℓ, each at least 0.
        washout: steps that do not count, at least the longest lag.
        held_out: `sequences` fits on the first half of the sequences and judges on the second, over the same steps: for
            any states. `steps` fits on the first half of the steps of a single series and judges on the second: only
            for stationary states, such as those of a reservoir driven by a long series behind its transient. States
            whose size grows with t, as of a recurrence that is orthogonal or the identity, have no memory by `steps`.
        quantity: `explained` or `squared_correlation`; reservoirpy has the latter.
        penalty: λ of the readout.

    Raises:
        InputError: for no lag or a negative one; a washout below the longest lag, or one that leaves too few steps;
            `sequences` of fewer than two, `steps` of more than one; inputs of another shape than the states, that are
            not finite or that are all the same; or another quantity.
    """
    measure = lookup(QUANTITIES, "quantity", quantity)
    require_one_of("held_out", held_out, HELD_OUT)
    require(inputs.shape == states.shape[:2], "inputs", f"of shape {states.shape[:2]}, as the states", inputs.shape)
    for name, values in {"states": states, "inputs": inputs}.items():
        require(bool(np.isfinite(values).all()), name, "finite", "NaN or infinity")
    sequences, steps = inputs.shape
    by_steps = held_out == "steps"
    number = "a single one where 'steps' are held out" if by_steps else "at least 2 where 'sequences' are held out"
    require(sequences == 1 if by_steps else sequences > 1, "number of sequences", number, sequences)
    require(len(lags) > 0 and min(lags) >= 0, "lags", "at least one, each at least 0", list(lags))
    last = steps - (4 if by_steps else 1)
    require(max(lags) <= washout <= last, "washout", f"from {max(lags)}, the longest lag, to {last}", washout)
    past = np.stack([np.roll(inputs, lag, 1) for lag in lags], -1)[:, washout:]
    data = states[:, washout:]
    if by_steps:
        half = (steps - washout) // 2
        fit_data, test_data = ((data[:, part], past[:, part]) for part in (slice(half), slice(half, None)))
    else:
        half = sequences // 2
        fit_data, test_data = ((data[part], past[part]) for part in (slice(half), slice(half, None)))
    test_inputs = test_data[1].reshape(-1, len(lags))
    require(bool((test_inputs.var(0) > 0).all()), "inputs", "not all the same", float(inputs[0, 0]))
    weights, offset = fit_readout(*fit_data, penalty, 0)
    return measure((test_data[0] @ weights + offset).reshape(-1, len(lags)), test_inputs)
