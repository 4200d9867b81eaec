"""A user's functions: how they are called, and how what they give is compared."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor

TOLERANCE = 1e-5
"""Largest difference between outcomes that should be equal, as a share of the largest entry; float32 inside rounds."""


def call_with_copies(function: Callable[..., Any], *arguments: Any) -> Any:
    """Outcome of a function that takes copies, with gradients on: it may change the copies, and differentiate."""
    with torch.enable_grad():
        outcome = function(*map(_copy, arguments))
    return outcome.detach() if isinstance(outcome, Tensor) and not torch.is_grad_enabled() else outcome


def _copy(tensors: Any) -> Any:
    """Copy of a tensor, or of tensors by name."""
    return {name: part.clone() for name, part in tensors.items()} if isinstance(tensors, dict) else tensors.clone()


@contextmanager
def generators_restored() -> Iterator[None]:
    """Leave random generators after the block as they were before it."""
    python, numpy = random.getstate(), np.random.get_state()
    with torch.random.fork_rng(devices=range(torch.cuda.device_count()) if torch.cuda.is_initialized() else []):
        try:
            yield
        finally:
            random.setstate(python)
            np.random.set_state(numpy)


@contextmanager
def same_random_numbers() -> Iterator[None]:
    """Give the block the same random numbers each time, and leave the generators as they were before it."""
    with generators_restored():
        if torch.cuda.is_initialized() or torch.backends.mps.is_available():
            torch.manual_seed(0)
        else:  # without a device in use `torch.manual_seed` keeps a stack trace for it at each call
            torch.default_generator.manual_seed(0)
        np.random.seed(0)
        random.seed(0)
        yield


def almost_equal(first: Tensor, second: Tensor) -> bool:
    """True if two outcomes differ by rounding alone."""
    return bool((first - second).abs().max() <= TOLERANCE * first.abs().max())


def says_types(error: BaseException) -> bool:
    """True if torch complains of tensors of different types."""
    return any(kind in str(error) for kind in ("dtype", "scalar type"))
