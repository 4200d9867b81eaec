"""What a network has learned of a delayed sum: how its predictions respond to the input, lag by lag.

Inputs are white, so the linear response r(ℓ) = E[ŷ_t uᵀx_{t-ℓ}] is the weight of uᵀx_{t-ℓ} in the best linear predictor
of ŷ_t. That of y_t is c(ℓ): c_k at the lag ℓ_k of the task and 0 elsewhere (Eq. 44). Where r = c, a lag is learned;
where c = 0 and r is not, predictions echo an input that the target does not hold. The loss splits by lags:

    E(ŷ_t - y_t)² = noise_sd² + Σ_ℓ (r(ℓ) - c(ℓ))² + rest,

the rest being what is not linear, not along u, or of larger lags.
"""

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float
from torch import Tensor

from learnability.errors import require
from learnability.frozen import Frozen
from learnability.tasks import DelayedSum
from learnability.transport import Engine

Z95 = 1.959964
"""97.5 % point of the standard normal."""


def measure_response(frozen: Frozen, task: DelayedSum, engine: Engine) -> tuple[pd.DataFrame, pd.DataFrame]:
    """r(ℓ) at every lag up to the largest of the task, and the parts of the loss, both over the t after that lag.

    r(ℓ) = c(ℓ) + E[(ŷ_t - y_t) uᵀx_{t-ℓ}], which has less noise than E[ŷ_t uᵀx_{t-ℓ}].

    Args:
        frozen: a network, and sequences of the task.

    Returns:
        `lag` (steps), `coefficient` c(ℓ), `response` r(ℓ) and the ends of its 95 % interval, `response_low` and
        `response_high`, normal over sequences; and `part`, `loss`: "noise", "missing" and "echoes", Σ (r - c)² at lags
        of the task and at others without what the noise of r adds to it, and "rest".

    Raises:
        InputError: for a single sequence, which has no interval.
    """
    network, parameters, inputs, targets = frozen
    require(len(inputs) > 1, "sequences", "at least 2", len(inputs))
    last = max(task.lags)
    projection = inputs.double() @ torch.from_numpy(task.direction).double()
    errors, found = [], []
    for each in engine.trace(network.cell, parameters, inputs, diagonals=False):
        error = (network.predict(parameters, each.states[:, 1:]) - targets[each.rows])[:, last:]
        errors.append(error)
        found.append(_correlation(error, projection[each.rows]) / error.shape[1])
    of_sequences = torch.cat(found).numpy()
    deviation = of_sequences.mean(0)
    variance = of_sequences.var(0, ddof=1) / len(of_sequences)
    coefficient = np.zeros(last + 1)
    coefficient[list(task.lags)] = task.coefficients
    half = Z95 * np.sqrt(variance)
    middle = coefficient + deviation
    ends = {"response_low": middle - half, "response_high": middle + half}
    response = pd.DataFrame({"lag": np.arange(last + 1), "coefficient": coefficient, "response": middle} | ends)
    asked, squares = coefficient != 0, deviation**2 - variance
    parts = {"noise": task.noise_sd**2, "missing": squares[asked].sum(), "echoes": squares[~asked].sum()}
    parts["rest"] = float(torch.cat(errors).square().mean()) - sum(parts.values())
    return response, pd.DataFrame({"part": list(parts), "loss": list(parts.values())})


def _correlation(
    late: Float[Tensor, "sequence kept"], whole: Float[Tensor, "sequence time"]
) -> Float[Tensor, "sequence lag"]:
    """Σ_t late_t whole_{t-ℓ} at ℓ = 0, …, T - (number of late t), those being the last t of the whole."""
    time, kept = whole.shape[1], late.shape[1]
    products = torch.fft.irfft(torch.fft.rfft(late, time).conj() * torch.fft.rfft(whole, time), time)
    return products[:, : time - kept + 1].flip(1)
