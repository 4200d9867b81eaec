"""Series that a reservoir continues on its own, its prediction its next input (Jaeger & Haas 2004)."""

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from learnability.core.errors import require
from learnability.reservoirs.reservoir import DeepReservoir, Reservoir


def generate(
    reservoir: Reservoir | DeepReservoir,
    weights: Float64[ndarray, "unit output"],
    offset: Float64[ndarray, "output"],
    given: Float64[ndarray, "sequence time output"],
    steps: int,
) -> Float64[ndarray, "sequence step output"]:
    """Run on the `given` part of a series, then for `steps` on predictions: ŷ_t = W_out h_t + c, x_{t+1} = ŷ_t.

    Args:
        weights, offset: a readout that was fitted to the next value of a series, the outputs being the inputs.

    Raises:
        InputError: for no step.
    """
    require(steps >= 1, "steps", "at least 1", steps)
    state = reservoir.states(given)[:, -1]
    predictions = [state @ weights + offset]
    for _ in range(steps - 1):
        state = reservoir.states(predictions[-1][:, None], state)[:, 0]
        predictions.append(state @ weights + offset)
    return np.stack(predictions, 1)


def predict_next(
    reservoir: Reservoir | DeepReservoir,
    weights: Float64[ndarray, "unit output"],
    offset: Float64[ndarray, "output"],
    given: Float64[ndarray, "sequence time output"],
    following: Float64[ndarray, "sequence step output"],
) -> Float64[ndarray, "sequence step output"]:
    """Predictions of `generate` under teacher forcing: each value from the true values before it.

    Args:
        following: the true continuation of `given`.
    """
    steps = following.shape[1]
    states = reservoir.states(np.concatenate([given, following[:, :-1]], 1))
    predictions: ndarray = states[:, -steps:] @ weights + offset
    return predictions


def error_growth(
    predicted: Float64[ndarray, "sequence step output"], following: Float64[ndarray, "sequence step output"]
) -> Float64[ndarray, "step"]:
    """(⟨‖ŷ - y‖²⟩ / ⟨‖y - ⟨y⟩‖²⟩)^{1/2} at each step, ⟨⟩ over sequences, below over steps too.

    1 is the error of the mean; an independent series of the same kind has √2.

    Raises:
        InputError: where the true series does not change.
    """
    spread = float(following.var((0, 1)).sum())
    require(spread > 0, "following", "a series that changes", following[0, 0])
    errors: ndarray = np.sqrt(((predicted - following) ** 2).sum(-1).mean(0) / spread)
    return errors
