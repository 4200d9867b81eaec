"""Targets that hold a network's echoes: a control that tells windows at missing lags from windows at lags too many."""

import torch
from jaxtyping import Float64
from scipy.signal import fftconvolve
from torch import Tensor

from learnability.core.errors import InputError
from learnability.networks.frozen import Frozen
from learnability.tasks import Task
from learnability.tasks.delayed_sum import DelayedSum
from learnability.transport import Engine
from learnability.windows.response import measure_response


def granted_targets(frozen: Frozen, task: Task, engine: Engine) -> Float64[Tensor, "sequence time"]:
    """Targets that ask for what predictions echo.

        y'_t = y_t + Σ_ℓ r(ℓ) uᵀx_{t-ℓ}    over all ℓ up to the largest lag of the task with c(ℓ) = 0

    Errors lose their linear response at those lags and nothing else. A window that is open there only as long as the
    target lacks the echo is the echo's. r is of the other half of the sequences, so that no chance of a sequence enters
    its own target.

    Args:
        frozen: a network, and sequences of the task.

    Raises:
        InputError: for a half of fewer than three sequences, see `learnability.windows.response.measure_response`.
    """
    if not isinstance(task, DelayedSum):
        raise InputError(f"'task' must be a DelayedSum, whose response is known. Got {type(task).__name__}.")
    halves = frozen.folds(2)
    direction = torch.from_numpy(task.direction).double()
    targets = []
    for half, other_half in zip(halves, reversed(halves), strict=True):
        response, _ = measure_response(other_half, task, engine)
        echo = response["response"].where(response["coefficient"] == 0, 0).to_numpy()
        echoes = fftconvolve((half.inputs.double() @ direction).numpy(), echo[None], axes=1)
        targets.append(half.targets + torch.from_numpy(echoes[:, : half.targets.shape[1]]))
    return torch.cat(targets)
