"""Names of the arguments of `measure_model` and `measure_module`, and errors for wrong ones."""

import inspect
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from types import MethodType
from typing import Any

from learnability.core.errors import InputError
from learnability.measurement.measured import Measured
from learnability.measurement.step import measure_step


def module_signature() -> inspect.Signature:
    """Parameters of `measure_model` of a module; a step that is a function takes parameters of `measure_step`."""
    parameter = inspect.Parameter
    first = [parameter(name, parameter.POSITIONAL_OR_KEYWORD) for name in ("module", "inputs", "targets")]
    by_name = [parameter(name, parameter.KEYWORD_ONLY, default=None) for name in ("readout", "state", "lags")]
    options = [
        option
        for option in inspect.signature(measure_step).parameters.values()
        if option.kind == option.KEYWORD_ONLY and option.name not in ("state_size", "lags")
    ]
    return inspect.Signature([*first, *by_name, *options], return_annotation=Measured)


def check_options(of: str, options: Mapping[str, Any], choices: Collection[str]) -> None:
    """Raise `InputError` for the first option that is not allowed, and suggest the most similar name."""
    names = list(choices)
    for name in options:
        if name not in names:
            nearest = "".join(f" (did you mean {like!r}?)" for like in get_close_matches(name, names, 1))
            raise InputError(f"'options of {of}' must be among {', '.join(names)}. Got {name!r}{nearest}.")


def check_arguments(signature: inspect.Signature, arguments: Sequence[Any], options: Mapping[str, Any]) -> None:
    """Raise `InputError` if an argument of `measure_model` is missing, given twice or one too many."""
    try:
        signature.bind(*arguments, **options)
    except TypeError as error:
        in_order = [name for name, part in signature.parameters.items() if part.kind == part.POSITIONAL_OR_KEYWORD]
        names = f"{', '.join(in_order)}, in this order or by name, and all others by name"
        raise InputError(f"'arguments of measure_model' must be {names}. Got others: {error}.") from error


def refuse_class_or_method(module: object) -> None:
    """Raise `InputError` for a class or a method in place of a module."""
    if isinstance(module, type):
        raise InputError(f"'module' must be a module, not its class: {module.__name__}(…). Got {module}.")
    if isinstance(module, MethodType):
        name = module.__name__
        raise InputError(
            f"'module' must be a module, not its method (write a module whose `forward(x, state)` calls it; or, for a "
            f"step that is a function, give `state_size`). Got the method {name!r}."
        )
