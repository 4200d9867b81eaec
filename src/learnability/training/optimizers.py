"""Optimisers by name; the update rules are torch's own."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch
from torch import Tensor

from learnability.core.errors import lookup

METHODS: dict[str, Callable[..., torch.optim.Optimizer]] = {
    "adam": torch.optim.Adam,
    "adamw": torch.optim.AdamW,
    "rmsprop": torch.optim.RMSprop,
    "sgd": torch.optim.SGD,
}


def build_optimizer(settings: Mapping[str, Any], parameters: Iterable[Tensor]) -> torch.optim.Optimizer:
    """The optimiser of `{"method": "adamw", "learning_rate": …, …}`, a name in `METHODS`; the rest are its arguments.

    On CUDA its steps can be captured in a graph: all but SGD then count them on the device.
    """
    arguments, held = dict(settings), list(parameters)
    method = lookup(METHODS, "method", arguments.pop("method"))
    if method is not torch.optim.SGD:
        arguments["capturable"] = held[0].is_cuda
    return method(held, lr=arguments.pop("learning_rate"), **arguments)
