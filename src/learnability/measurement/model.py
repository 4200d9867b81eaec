"""Measure a recurrent model of your own: a torch module, or a step that is a function."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, overload

from numpy.typing import ArrayLike
from torch import Tensor, nn

from learnability.core.errors import require
from learnability.measurement.arguments import (
    check_arguments,
    check_options,
    module_signature,
    refuse_class_or_method,
)
from learnability.measurement.cell import Step
from learnability.measurement.measured import Measured
from learnability.measurement.module import measure_module
from learnability.measurement.network import Readout
from learnability.measurement.step import measure_step


@overload
def measure_model(
    module: nn.Module,
    inputs: ArrayLike,
    targets: ArrayLike,
    *,
    readout: Callable[[Any], Tensor] | None = None,
    state: Any = None,
    lags: ArrayLike | None = None,
    **options: Any,
) -> Measured: ...


@overload
def measure_model(
    step: Step,
    parameters: Mapping[str, ArrayLike],
    readout: Readout,
    inputs: ArrayLike,
    targets: ArrayLike,
    *,
    state_size: int,
    lags: ArrayLike | None = None,
    **options: Any,
) -> Measured: ...


def measure_model(*given: Any, **options: Any) -> Measured:
    """Measure the gradient across each lag, N̂(ℓ) and the window Ĥ_N of a recurrent model, without training it.

    N̂(ℓ) is the number of sequences from which the gradient of lag ℓ is detected, Ĥ_N the longest lag that N sequences
    detect. A module is taken as it is: its state, step and parameters are found. Any other step is given as a function,
    with its parameters, a readout and `state_size`.

    >>> import torch
    >>> from learnability import measure_model
    >>> lstm, head = torch.nn.LSTM(3, 8, batch_first=True), torch.nn.Linear(8, 1)
    >>> inputs = torch.randn(30, 12, 3)
    >>> measured = measure_model(lstm, inputs, inputs.cumsum(1).sum(2), readout=head)
    >>> measured.exact["lag"].tolist()
    [1, 2, 4, 8]

    Args:
        *given: module, inputs and targets, with `readout`, `state` and `lags` by name, as
            `learnability.measurement.module.measure_module` explains; or step, parameters, readout, inputs and targets,
            with `state_size` and `lags` by name, as `learnability.measurement.step.measure_step` explains. All may be
            by name.
        **options: of both forms, `mask`, `reading`, `root_seed`, `block_bytes`, `device`, `precision`, `first_order`
            and `progress`: see `learnability.measurement.step.measure_step`.

    Raises:
        InputError: for a function without `state_size`, for missing or misplaced arguments, and as in both forms.
    """
    if "state_size" in options or "step" in options:
        signature = inspect.signature(measure_step)
        check_options("measure_model", options, signature.parameters)
        check_arguments(signature, given, options)
        return measure_step(*given, **options)
    check_options("measure_model", options, module_signature().parameters)
    if given and not isinstance(given[0], nn.Module):
        refuse_class_or_method(given[0])
        way = "given with a step that is a function: how many numbers its state has"
        require(not callable(given[0]), "state_size", way, None)
    check_arguments(module_signature(), given, options)
    return measure_module(*given, **options)


measure_model.__signature__ = module_signature()  # type: ignore[attr-defined]
