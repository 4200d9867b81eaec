"""Parameters, inputs, lags and masks that a user gives: how they are checked, and the form in which they are used."""

from collections.abc import Mapping
from numbers import Integral
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float
from numpy.typing import ArrayLike
from torch import Tensor

from learnability.core.errors import InputError, in_one_line, require
from learnability.measurement.limits import FEWEST_SEQUENCES
from learnability.transport import check_lags
from learnability.windows.readings import StatisticOptions
from learnability.windows.request import Request

NUMBER_AT_EACH_STEP = ", inputs[..., None] for one number at each step"
"""Hint for inputs that have no axis of numbers."""


def require_count(name: str, value: object) -> None:
    """Raise `InputError` unless a value is a positive integer."""
    is_count = isinstance(value, Integral) and not isinstance(value, bool) and int(value) > 0
    require(is_count, name, "a positive integer", value)


def as_numbers(name: str, array: ArrayLike, counts: Bool[Tensor, "..."] | None = None) -> Float[Tensor, "..."]:
    """An array or a tensor as float64, with 0 where `counts` is False."""
    try:
        tensor = array.detach() if isinstance(array, Tensor) else torch.from_numpy(np.array(array))
        dtype, numbers = tensor.dtype, tensor.to_dense() if tensor.layout != torch.strided else tensor
        numbers = numbers if dtype.is_complex else numbers.to("cpu", torch.float64, copy=True)
    except Exception as error:
        kind, reason = type(array).__name__, in_one_line(error)
        raise InputError(f"'{name}' must be an array of numbers. Got {kind}: {reason}") from error
    way = f"real numbers: torch.view_as_real({name}) beside another axis, and torch.view_as_complex where it is used"
    require(not dtype.is_complex, name, way, dtype)
    require(dtype != torch.bool, name, "real numbers", dtype)
    if counts is not None and numbers.shape[:2] == counts.shape:
        numbers[~counts] = 0
    for place in (~torch.isfinite(numbers)).nonzero().tolist()[:1]:
        at = f" at {place}" if place else ""
        raise InputError(f"'{name}' must be finite. Got {float(numbers[tuple(place)])}{at}.")
    return numbers


def as_parameters(parameters: Any) -> dict[str, Tensor]:
    """Parameters as float64, by name."""
    has_names = isinstance(parameters, Mapping) and len(parameters) > 0
    require(has_names, "parameters", "one or more by name, dict(cell.named_parameters()), say", parameters)
    return {name: as_numbers(name, parameter) for name, parameter in parameters.items()}


def as_inputs(inputs: ArrayLike) -> Float[Tensor, "sequence time input"]:
    """Inputs of two sequences and two steps at least."""
    x = as_numbers("inputs", inputs)
    way = "of shape (sequence, time, input)" + (NUMBER_AT_EACH_STEP if x.ndim == 2 else "")
    require(x.ndim == 3, "inputs", way, tuple(x.shape))
    check_size(x)
    return x


def check_size(x: Tensor) -> None:
    """Require two sequences and two steps at least."""
    require(x.shape[1] >= 2, "inputs", "of two steps at least", x.shape[1])
    require(len(x) >= 2, "inputs", "of two sequences at least, for what differs between them is the noise", len(x))


def as_lags(lags: ArrayLike | None, time: int) -> list[int]:
    """Lags as integers below the number of steps; a float that equals one is none. By default 1, 2, 4, …."""
    if lags is None:
        return [2**power for power in range((time - 1).bit_length())]
    try:
        grid = np.asarray(lags)
    except ValueError:  # rows of different lengths
        grid = np.empty((1, 1), object)
    require(grid.shape != (0,), "lags", "a list of at least one integer", lags)
    require(grid.ndim == 1 and grid.dtype.kind in "iu", "lags", "a list of integers", lags)
    check_lags(grid.tolist(), time - 1)
    return grid.tolist()


def as_mask(array: ArrayLike | None, x: Tensor, lags: list[int]) -> Bool[Tensor, "sequence time"] | None:
    """The mask, if there is one, in which enough sequences have a target after the smallest lag."""
    if array is None:
        return None
    shape, after = tuple(x.shape[:2]), f"at t > {lags[0]}"
    try:
        mask = torch.as_tensor(array)
    except (TypeError, ValueError, RuntimeError) as error:
        actual = f"{type(array).__name__}: {in_one_line(error)}"
        raise InputError(f"'mask' must be booleans of shape {shape}. Got {actual}.") from error
    hint = " (mask.bool())" if mask.dtype != torch.bool else ""
    fits = mask.dtype == torch.bool and mask.shape == shape
    require(fits, "mask", f"booleans{hint} of shape {shape}", f"{mask.dtype} of shape {tuple(mask.shape)}")
    require(bool(mask.any()), "mask", "true for some targets", "none")
    mask = mask.detach().cpu()
    (count,) = count_sequences(x, mask, lags[:1])
    require(count > 0, "mask", f"true for a target after the smallest lag, {after}", "none")
    if len(x) >= FEWEST_SEQUENCES:  # fewer are refused by `check_draws`, with or without a mask
        in_sequences = f"true {after} in {FEWEST_SEQUENCES} sequences at least"
        require(count >= FEWEST_SEQUENCES, "mask", in_sequences, count)
    return mask


def count_sequences(x: Tensor, mask: Tensor | None, lags: list[int]) -> list[int]:
    """Number of sequences that have a target later than each lag."""
    return [len(x) if mask is None else int(mask[:, lag:].any(1).sum()) for lag in lags]


def check_draws(options: StatisticOptions, x: Tensor, mask: Tensor | None, lags: list[int]) -> None:
    """Raise `InputError` for fewer than 20 draws of the statistic at the largest lag, or for a mask if it pools."""
    pools = options.sampling == "pooled"
    require(mask is None or not pools, "mask", "None, for a reading that pools pairs of a sequence and t", "a mask")
    times = sum(t > lags[-1] for t in Request(options, lags).times(x.shape[1]))
    draw = "pairs of a sequence and t at the largest lag" if pools else "sequences"
    draws = len(x) * (times if pools else 1)
    require(draws >= FEWEST_SEQUENCES, "inputs", f"of {FEWEST_SEQUENCES} {draw} at least", draws)
