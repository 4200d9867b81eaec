"""Response of a network's predictions to the input at each lag of a delayed sum or of copying.

Of a delayed sum inputs are white, so the linear response r(ℓ) = E[ŷ_t uᵀx_{t-ℓ}] is the weight of uᵀx_{t-ℓ} in the best
linear predictor of ŷ_t. That of y_t is c(ℓ): c_k at the lag ℓ_k of the task and 0 elsewhere (Eq. 44). Where r = c, a
lag is learned; where c = 0 and r is not, predictions echo an input that the target does not hold. The loss splits by
lags:

    E(ŷ_t - y_t)² = noise_sd² + Σ_ℓ (r(ℓ) - c(ℓ))² + E_t (E[ŷ_t - y_t])² + rest,

the third being a bias, and the rest what is no linear response along u up to the largest lag of the task: other
directions, larger lags, what is not linear. Chance may take a part that is near 0 below it.

Of copying symbols are independent and uniform. The same weight, of the symbol z_{t-ℓ} that was shown ℓ steps before in
the probabilities p_t that a network gives to the alphabet at the t of repetition, is

    r(ℓ) = A/(A - 1) E[p_t(z_{t-ℓ}) - 1/A Σ_k p_t(k)],

1 at the lag of the task where symbols are named with certainty, and 0 for every guess.
"""

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float
from torch import Tensor

from learnability.core.errors import InputError, require
from learnability.networks.frozen import Frozen
from learnability.stats.proportions import Z95
from learnability.tasks import Task
from learnability.tasks.copying import Copy
from learnability.tasks.delayed_sum import DelayedSum
from learnability.transport import Engine


def measure_response(frozen: Frozen, task: Task, engine: Engine) -> tuple[pd.DataFrame, pd.DataFrame]:
    """r(ℓ) at every lag up to the largest of the task, and the parts of the loss, both over the t after that lag.

    r(ℓ) = E[ŷ_t uᵀx_{t-ℓ}] - b (E[y_t uᵀx_{t-ℓ}] - c(ℓ)): the bracket is 0 but for chance, and b, the slope of one
    over the other over sequences and lags, takes off the chance that they share.

    Args:
        frozen: a network, and sequences of the task.

    Returns:
        `lag` (steps), `coefficient` c(ℓ), `response` r(ℓ) and the ends of its 95 % interval, `response_low` and
        `response_high`, normal over sequences; and `part`, `loss`: "noise", "missing" and "echoes", Σ (r - c)² where
        c ≠ 0 and where c = 0, "bias", these three without what the variance of r or of the mean adds, and "rest".

    Raises:
        InputError: for fewer than three sequences, which have no slope and interval, or another task.
    """
    network, parameters, inputs, targets = frozen[:4]
    require(len(inputs) > 2, "sequences", "at least 3", len(inputs))
    if not isinstance(task, DelayedSum):
        raise InputError(f"'task' must be a DelayedSum, whose response is known. Got {type(task).__name__}.")
    last = max(task.lags)
    coefficient = np.zeros(last + 1)
    coefficient[list(task.lags)] = task.coefficients
    projection = inputs.double() @ torch.from_numpy(task.direction).double()
    pair = torch.stack([engine.predictions(network, parameters, inputs), targets])[..., last:]
    prediction, target = (_correlation(pair, projection) / pair.shape[-1]).numpy()
    chance = target - target.mean(0)
    slope = np.vdot(chance, prediction) / np.vdot(chance, chance)
    of_sequences = prediction - slope * (target - coefficient)
    response, variance = of_sequences.mean(0), of_sequences.var(0, ddof=1) / len(of_sequences)
    half = Z95 * np.sqrt(variance)
    table = {"lag": np.arange(last + 1), "coefficient": coefficient, "response": response}
    ends = {"response_low": response - half, "response_high": response + half}
    in_task, squares = coefficient != 0, (response - coefficient) ** 2 - variance
    parts = {"noise": task.noise_sd**2, "missing": squares[in_task].sum(), "echoes": squares[~in_task].sum()}
    error = pair[0] - pair[1]
    parts["bias"] = float((error.mean(0).square() - error.var(0) / len(error)).mean())
    parts["rest"] = float(error.square().mean()) - sum(parts.values())
    return pd.DataFrame(table | ends), pd.DataFrame({"part": list(parts), "loss": list(parts.values())})


def learned_shares(frozen: Frozen, task: Task, engine: Engine) -> pd.DataFrame:
    """r(ℓ)/c(ℓ) at the lags that a task asks for: 1 where a lag is learned, 0 where nothing of it is.

    Args:
        frozen, task, engine: see `measure_response`.

    Returns:
        `lag` (steps), `share`, and the ends of its 95 % interval, `share_low` and `share_high`.
    """
    response, _ = measure_response(frozen, task, engine)
    task_rows = response[response["coefficient"] != 0]
    shares = {f"share{end}": task_rows[f"response{end}"] / task_rows["coefficient"] for end in ("", "_low", "_high")}
    return pd.DataFrame({"lag": task_rows["lag"]} | shares).reset_index(drop=True)


def measure_recall(frozen: Frozen, task: Copy, engine: Engine) -> pd.DataFrame:
    """r(ℓ) of copying at every lag at which a symbol was shown before a t of repetition.

    Args:
        frozen: a network, and sequences of the task.
        task: its symbols come back after a lag that is known.

    Returns:
        `lag` (steps), `coefficient` c(ℓ), 1 at the lag of the task and 0 elsewhere, `response` r(ℓ) and the ends of its
        95 % interval, `response_low` and `response_high`, normal over sequences.

    Raises:
        InputError: for fewer than three sequences, or a task without such a lag.
    """
    network, parameters, inputs, targets = frozen[:4]
    require(len(inputs) > 2, "sequences", "at least 3", len(inputs))
    require(len(task.dependencies) > 0, "task", "one whose symbols come back after a known lag", type(task).__name__)
    shares = torch.softmax(engine.predictions(network, parameters, inputs), -1)[..., 1:]
    symbols, is_repetition = inputs.argmax(-1) - 1, targets > 0
    is_symbol = (symbols >= 0) & (symbols < task.alphabet)
    rows = []
    for lag in range(1, task.duration):
        weights = (is_repetition[:, lag:] & is_symbol[:, :-lag]).double()
        if not weights.sum(1).all():
            continue
        late = shares[:, lag:]
        of_symbol = late.gather(-1, symbols[:, :-lag, None].clamp(0, task.alphabet - 1))[..., 0]
        recall = task.alphabet / (task.alphabet - 1) * (of_symbol - late.mean(-1))
        of_sequences = ((recall * weights).sum(1) / weights.sum(1)).numpy()
        response = of_sequences.mean()
        half = Z95 * of_sequences.std(ddof=1) / np.sqrt(len(of_sequences))
        rows.append((lag, task.dependencies.get(lag, 0.0), response, response - half, response + half))
    return pd.DataFrame(rows, columns=["lag", "coefficient", "response", "response_low", "response_high"])


def _correlation(
    late: Float[Tensor, "pair sequence kept"], whole: Float[Tensor, "sequence time"]
) -> Float[Tensor, "pair sequence lag"]:
    """Σ_t late_t whole_{t-ℓ} at ℓ = 0, …, T - (number of late t), those being the last t of the whole."""
    time, steps = whole.shape[-1], late.shape[-1]
    products = torch.fft.irfft(torch.fft.rfft(late, time).conj() * torch.fft.rfft(whole, time), time)
    return products[..., : time - steps + 1].flip(-1)
