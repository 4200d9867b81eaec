"""Optimisers by name; the update rules are torch's own."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch
from torch import Tensor

from learnability.core.errors import lookup

METHODS: dict[str, Callable[..., torch.optim.Optimizer]] = {"adamw": torch.optim.AdamW, "sgd": torch.optim.SGD}


def build_optimizer(settings: Mapping[str, Any], parameters: Iterable[Tensor]) -> torch.optim.Optimizer:
    """The optimiser of `{"method": "adamw" | "sgd", "learning_rate": …, …}`; the rest are its own arguments.

    On CUDA its steps can be captured in a graph: AdamW then counts them on the device.
    """
    arguments, held = dict(settings), list(parameters)
    method = lookup(METHODS, "method", arguments.pop("method"))
    if method is torch.optim.AdamW:
        arguments["capturable"] = held[0].is_cuda
    return method(held, lr=arguments.pop("learning_rate"), **arguments)
