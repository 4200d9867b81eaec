"""Targets that a user gives, and the loss that fits them and the readout."""

import logging
from dataclasses import replace

import numpy as np
import torch
from jaxtyping import Shaped
from numpy.typing import ArrayLike
from torch import Tensor

from learnability.core.errors import InputError, require
from learnability.measurement.data import as_numbers
from learnability.measurement.functions import same_random_numbers
from learnability.measurement.network import FunctionNetwork

log = logging.getLogger(__name__)


def with_loss(
    network: FunctionNetwork, x: Tensor, targets: ArrayLike, mask: Tensor | None
) -> tuple[FunctionNetwork, Shaped[Tensor, "sequence time *output"]]:
    """The network with the loss that fits its readout and targets, and the targets in the form of that loss.

    Raises:
        InputError: if targets do not have the shape that the readout's outputs ask for, or name a class that is none.
    """
    shape = tuple(x.shape[:2])
    y = as_numbers("targets", targets, mask)
    y = y[..., 0] if tuple(y.shape) == (*shape, 1) else y
    outputs = _count_outputs(network, len(x))
    if y.shape != shape and tuple(y.shape) in ((shape[0],), (shape[0], 1), (shape[0], outputs)):
        repeat = f"targets[:, None].expand(-1, {shape[1]}{', -1' * (y.ndim - 1)})"
        raise InputError(
            f"'targets' must be of shape {(*shape, *y.shape[1:])}: repeat one of each sequence, {repeat}, and let "
            f"`mask` be true at its step alone. Got {tuple(y.shape)}."
        )
    if outputs < 2 or y.ndim != 2:
        expected = (*shape, outputs) if outputs else shape
        require(tuple(y.shape) == expected, "targets", f"of shape {expected}", tuple(y.shape))
        return replace(network, outputs=outputs), y
    dtype = (targets if isinstance(targets, Tensor) else torch.as_tensor(np.asarray(targets))).dtype
    _require_classes(y, dtype, shape, outputs)
    return replace(network, outputs=outputs, loss="cross_entropy"), y.long()


def _count_outputs(network: FunctionNetwork, sequences: int) -> int:
    """Number of outputs of the readout at states of 0; 0 if it gives one number, or fails there."""
    try:
        with same_random_numbers():
            sample = network.call_readout(torch.zeros(sequences, network.cell.state_size, dtype=torch.float64))
        return sample.shape[1] if sample.ndim == 2 else 0
    except InputError:
        raise
    except (Exception, SystemExit):  # a readout that fails is refused at the model's own states
        return 0


def _require_classes(y: Tensor, dtype: torch.dtype, shape: tuple[int, ...], outputs: int) -> None:
    """Raise `InputError` unless targets name a class for each prediction.

    Args:
        y: the targets as numbers.
        dtype: type of the targets as they were given.
    """
    whole, has_shape = not dtype.is_floating_point and dtype != torch.bool, tuple(y.shape) == shape
    if whole and has_shape and bool(((y >= 0) & (y < outputs)).all()):
        return
    actual = f"{dtype} of shape {tuple(y.shape)}"
    if has_shape and whole:
        actual = f"classes from {int(y.min())} to {int(y.max())}"
    elif has_shape and torch.equal(y, y.round()):
        actual += " (for classes use targets.long())"
    single = f"; numbers of shape {shape} need a `readout` of one output" if has_shape and not whole else ""
    raise InputError(
        f"'targets' must be integers from 0 to {outputs - 1} of shape {shape}, or numbers of shape "
        f"{(*shape, outputs)}, for predictions of {outputs} numbers at each step{single}. Got {actual}."
    )


def warn_of_equal_targets(y: Tensor, mask: Tensor | None) -> None:
    """Log a warning if targets at each t are the same in all sequences that have one."""
    counts = torch.ones(y.shape[:2], dtype=torch.bool) if mask is None else mask
    left_out, numbers = ~counts.view(*y.shape[:2], *[1] * (y.dim() - 2)), y.double()
    least, most = (numbers.masked_fill(left_out, end) for end in (torch.inf, -torch.inf))
    if (most.amax(0) <= least.amin(0)).all():
        log.warning("Targets are the same in all sequences: gradients only pull outputs of the sequences together.")
