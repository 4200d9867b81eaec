"""Optimisers by name; the update rules are torch's own."""

import inspect
from collections.abc import Callable, Collection, Mapping
from typing import Any

import torch

from learnability.cells import Parameters
from learnability.core.errors import lookup, require


def _uncompiled(method: type[torch.optim.Optimizer]) -> Callable[..., torch.optim.Optimizer]:
    """The optimiser itself, none of whose steps is compiled.

    Torch wraps some methods such that they import its compiler, even where nothing is compiled; that takes as long as
    the import of torch, and longer than many a training.
    """
    names = ("add_param_group", "zero_grad", "state_dict", "load_state_dict")
    plain = {name: inspect.unwrap(getattr(method, name)) for name in names}
    return type(method.__name__, (method,), plain | {"step": torch.no_grad()(inspect.unwrap(method.step))})


METHODS: dict[str, Callable[..., torch.optim.Optimizer]] = {
    "adam": _uncompiled(torch.optim.Adam),
    "adamw": _uncompiled(torch.optim.AdamW),
    "rmsprop": _uncompiled(torch.optim.RMSprop),
    "sgd": _uncompiled(torch.optim.SGD),
}


def build_optimizer(
    settings: Mapping[str, Any], parameters: Parameters, orthogonal: Collection[str] = ()
) -> torch.optim.Optimizer:
    """The optimiser of `{"method": "adamw", "learning_rate": …, …}`, a name in `METHODS`; the rest are its arguments.

    With an `orthogonal_learning_rate` what an orthogonal matrix is made of learns at that rate, as in the public code
    of expRNN (Lezcano-Casado and Martínez-Rubio 2019).

    On CUDA its steps can be captured in a graph: all but SGD then count them on the device.

    Args:
        orthogonal: names of parameters, see `Cell.ORTHOGONAL`.

    Raises:
        InputError: for an unknown method, or an `orthogonal_learning_rate` where nothing is orthogonal.
    """
    arguments = dict(settings)
    groups: list[dict[str, Any]] = [{"params": list(parameters.values())}]
    method = lookup(METHODS, "method", arguments.pop("method"))
    if "orthogonal_learning_rate" in arguments:
        requirement = "left out for a cell that keeps no matrix orthogonal"
        require(len(orthogonal) > 0, "orthogonal_learning_rate", requirement, arguments["orthogonal_learning_rate"])
        orthogonal_weights = [parameters[name] for name in orthogonal]
        other_weights = [parameter for name, parameter in parameters.items() if name not in orthogonal]
        groups = [
            {"params": other_weights},
            {"params": orthogonal_weights, "lr": arguments.pop("orthogonal_learning_rate")},
        ]
    if method is not METHODS["sgd"]:
        arguments["capturable"] = all(parameter.is_cuda for parameter in parameters.values())
    return method(groups, lr=arguments.pop("learning_rate"), **arguments)
