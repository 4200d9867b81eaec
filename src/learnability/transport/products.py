"""Whole products of one-step Jacobians back from the last step: ∂s_T/∂s_{T-ℓ} = J_T J_{T-1} … J_{T-ℓ+1}.

Of an LSTM, whose state is [h; c], also ∂c_T/∂c_{T-ℓ}. As c acts by itself and through h = o ⊙ tanh(c), it is the block
of the product from c to c plus the block from h to c times D(o ⊙ (1 - tanh²(c))), both at T - ℓ.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import torch
from jaxtyping import Float64
from torch import Tensor

from learnability.cells import Cell, Parameters
from learnability.core.errors import InputError
from learnability.networks.network import run
from learnability.transport.windows import check_lags


def state_jacobians(
    cell: Cell, parameters: Parameters, inputs: Float64[Tensor, "sequence time input"], lags: Sequence[int]
) -> Iterator[tuple[int, Float64[Tensor, "sequence state state"]]]:
    """Yield (ℓ, ∂s_T/∂s_{T-ℓ}) for each lag, of each sequence, T its last step, by recurrence along every path.

    Args:
        parameters: float64.
        lags: ℓ, increasing, each from 1 to T.

    Raises:
        InputError: for other lags, or a cell whose state is more than one tensor.
    """
    time = inputs.shape[1]
    check_lags(lags, time)
    steps = cell.linearize(parameters, run(cell, parameters, inputs)[:, :-1], inputs)
    product = torch.eye(cell.state_size, dtype=inputs.dtype).expand(len(inputs), -1, -1)
    for previous, lag in pairwise([0, *lags]):
        for back in range(previous + 1, lag + 1):
            product = product @ steps[:, time - back].split().whole
        yield lag, product


def memory_jacobians(
    cell: Cell, parameters: Parameters, inputs: Float64[Tensor, "sequence time input"], lags: Sequence[int]
) -> Iterator[tuple[int, Float64[Tensor, "sequence unit"], Float64[Tensor, "sequence unit unit"]]]:
    """Yield ℓ, f_T ⊙ … ⊙ f_{T-ℓ+1} (the direct path) and ∂c_T/∂c_{T-ℓ} (all paths) for each lag.

    Args:
        parameters: float64.
        lags: ℓ, increasing, each from 1 to T - 1, so that there is a c_{T-ℓ}.

    Raises:
        InputError: for other lags, or a cell without c.
    """
    size, time = cell.hidden_size, inputs.shape[1]
    check_lags(lags, time - 1)
    f, _, expression, *_ = cell.linearize(parameters, run(cell, parameters, inputs)[:, :-1], inputs).diagonals()
    if expression is None:
        raise InputError(f"'cell' must be one whose state is [h; c]. Got '{type(cell).__name__}'.")
    for lag, whole in state_jacobians(cell, parameters, inputs, lags):
        from_h, from_c = whole[:, size:].split(size, -1)
        yield lag, f[:, time - lag :].prod(1), from_c + from_h * expression[:, time - lag - 1, None]
