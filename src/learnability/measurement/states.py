"""States of modules: nests of tensors in tuples, lists and dicts, sequences first, laid side by side in one vector."""

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from learnability.core.errors import InputError

STATE_FORM = "what is kept from step to step: a tensor or a nest of tuples, lists and dicts of them, sequences first"
"""Form of a state, for errors."""


def is_state(value: Any, count: int | None = None) -> bool:
    """True for a nest of tensors alone, each with `count` sequences first, or, without a count, of any shape."""
    if isinstance(value, Tensor):
        return count is None or (value.ndim > 0 and len(value) == count)
    parts = list(value.values()) if isinstance(value, dict) else value
    return isinstance(parts, (tuple, list)) and len(parts) > 0 and all(is_state(part, count) for part in parts)


def find_flaw(state: Any, count: int) -> str:
    """The first part of a state that is no tensor with `count` sequences first, in words; empty if there is none."""
    if isinstance(state, (tuple, list, dict)):
        parts = list(state.values()) if isinstance(state, dict) else state
        return next(filter(None, (find_flaw(part, count) for part in parts)), "")
    return "" if is_state(state, count) else describe(state)


def has_same_form(first: Any, second: Any) -> bool:
    """True if two states have the same parts, of the same shapes."""
    if isinstance(first, Tensor) or isinstance(second, Tensor):
        return isinstance(first, Tensor) and isinstance(second, Tensor) and first.shape == second.shape
    if isinstance(first, dict) or isinstance(second, dict):
        same_names = isinstance(first, dict) and isinstance(second, dict) and first.keys() == second.keys()
        return same_names and all(has_same_form(first[name], second[name]) for name in first)
    return len(first) == len(second) and all(map(has_same_form, first, second))


def tensors_of(state: Any) -> list[Tensor]:
    """The tensors of a state, in order."""
    if not isinstance(state, (tuple, list, dict)):
        return [state] if isinstance(state, Tensor) else []
    return [part for item in (state.values() if isinstance(state, dict) else state) for part in tensors_of(item)]


def map_tensors(function: Callable[[Tensor], Tensor], state: Any) -> Any:
    """A state whose tensors a function has changed, one after the other."""
    if isinstance(state, Tensor):
        return function(state)
    if isinstance(state, dict):
        return {name: map_tensors(function, part) for name, part in state.items()}
    parts = [map_tensors(function, part) for part in state]
    return type(state)(*parts) if hasattr(state, "_fields") else type(state)(parts)


def repeat(state: Any, count: int) -> Any:
    """A state of so many sequences; `InputError` for one that a user gives in another form."""
    lengths = {len(tensor) if tensor.ndim else 0 for tensor in tensors_of(state)}
    if len(lengths) != 1 or not is_state(state, max(lengths)):
        raise InputError(f"'state' must be {STATE_FORM}. Got {describe(state)}.")
    return map_tensors(lambda tensor: repeat_rows(tensor, count), state)


def repeat_rows(tensor: Tensor, count: int) -> Tensor:
    """So many rows of a tensor, from the first on and then from the first again."""
    return tensor[torch.arange(count) % len(tensor)]


def zeros_like(state: Any) -> Any:
    """A state of zeros, of the type and on the device that are the default."""
    real = torch.get_default_dtype()
    return map_tensors(
        lambda tensor: torch.zeros(tensor.shape, dtype=real.to_complex() if tensor.is_complex() else real), state
    )


def flatten(state: Any) -> Float[Tensor, "sequence state"]:
    """Numbers of a state side by side; both parts of a complex number."""
    real = [torch.view_as_real(tensor) if tensor.is_complex() else tensor for tensor in tensors_of(state)]
    return torch.cat([tensor.reshape(len(tensor), -1) for tensor in real], 1)


def unflatten(flat: Float[Tensor, "sequence state"], example: Any) -> Any:
    """A state like the example, of numbers side by side."""
    sizes = [tensor[0].numel() * (2 if tensor.is_complex() else 1) for tensor in tensors_of(example)]
    parts = iter(flat.split(sizes, 1))

    def take(like: Tensor) -> Tensor:
        numbers, shape = next(parts), (len(flat), *like.shape[1:])
        if like.is_complex():
            return torch.view_as_complex(numbers.reshape(*shape, 2).contiguous())
        return numbers.reshape(shape)

    return map_tensors(take, example)


def describe(value: Any) -> str:
    """The form of a value in words, for errors."""
    if isinstance(value, Tensor):
        return f"a tensor of shape {tuple(value.shape)}"
    if isinstance(value, dict):
        return f"a dict of {', '.join(f'{name}: {_describe_part(part)}' for name, part in value.items())}"
    if isinstance(value, (tuple, list)):
        return f"a {type(value).__name__} of {', '.join(map(_describe_part, value))}"
    return f"a {type(value).__name__}"


def _describe_part(value: Any) -> str:
    """The form of a part of a nest, in brackets if it is a nest itself."""
    return f"({describe(value)})" if isinstance(value, (tuple, list, dict)) else describe(value)
