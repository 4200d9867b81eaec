"""Measure a torch module as it is: state, step and parameters are found by calling it."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from numpy.typing import ArrayLike
from torch import Tensor, nn

from learnability.cells import Parameters
from learnability.core.errors import InputError, in_one_line, require
from learnability.measurement.arguments import check_options, module_signature, refuse_class_or_method
from learnability.measurement.data import NUMBER_AT_EACH_STEP, as_numbers, check_size
from learnability.measurement.forms import Form, find_form
from learnability.measurement.formulas import Formulas, formulas_of
from learnability.measurement.functions import says_types
from learnability.measurement.measured import Measured
from learnability.measurement.place import PROCESSOR, Place
from learnability.measurement.states import describe, flatten, repeat_rows, tensors_of, unflatten, zeros_like
from learnability.measurement.step import measure_step

FEW = 3
"""Number of rows on which a module is tried: not two, for a tensor of two rows looks like a pair."""


class Parts(NamedTuple):
    """Arguments of `measure_step` that are found for a module."""

    step: Callable[[Parameters, Tensor, Tensor], Tensor]
    parameters: Parameters
    readout: Callable[[Tensor], Tensor]
    state_size: int
    formulas: Formulas | None


def measure_module(
    module: nn.Module,
    inputs: ArrayLike,
    targets: ArrayLike,
    *,
    readout: Callable[[Any], Tensor] | None = None,
    state: Any = None,
    lags: ArrayLike | None = None,
    **options: Any,
) -> Measured:
    """Results of `learnability.measure_model` for a torch module, whose state, step and parameters are found.

    >>> import torch
    >>> from learnability.measurement.module import measure_module
    >>> lstm, head = torch.nn.LSTM(3, 8, batch_first=True), torch.nn.Linear(8, 1)
    >>> inputs = torch.randn(30, 6, 3)
    >>> measured = measure_module(lstm, inputs, inputs.cumsum(1).sum(2), readout=head)
    >>> measured.exact["lag"].tolist()
    [1, 2, 4]

    Args:
        module: `torch.nn.RNN`, `LSTM` or `GRU`, of any number of layers and one direction; one of their cells; a
            module that is called as `module(x, state)`, x (sequence, input), and returns the next state, or a pair of
            output and next state; or, where such a call fails, a module that takes x (sequence, time, input) and
            returns a pair of outputs (sequence, time, …) and next state. A copy is measured, without dropout, by
            default in double precision on the processor, and of its parameters only those that move the state and are
            trained. If none requires a gradient, all of them count as trained.
        inputs: fresh sequences, (sequence, time, input); where a module takes more than a vector at each step, an
            image, say, of shape (sequence, time, …).
        targets: as in `learnability.measurement.step.measure_step`.
        readout: a function or a module that makes ŷ_t, (sequence,), (sequence, 1) or, for several outputs,
            (sequence, output). It takes h_t of the last layer of a module of `torch.nn`, else the module's output if
            that is one of the state's tensors, else the state or the first tensor of a tuple. A module of whole
            sequences may also put out the last layer of a state (layer, sequence, unit). A readout that takes such a
            state gets it as (sequence, layer, unit); a readout that takes each layer on its own, as `torch.nn.Linear`
            does, gets the last layer. Without a readout, ŷ_t is the argument that a readout would take.
        state: an example of a first state. Only its shapes count, for s_0 is 0. Without it the module is called as
            `module(x)` or `module(x, None)`.
        lags: ℓ; by default powers of 2 below the number of steps.
        **options: as in `learnability.measurement.step.measure_step`, for example `mask`, `reading` or `device`.

    Raises:
        InputError: for a bidirectional module, whose state knows the future; for a module that does not take and return
            a state; for a module of whole sequences whose state after two steps in one call differs from its state
            after two calls; for a missing readout if the output is not one of the state's tensors; and as in
            `measure_step`.
    """
    refuse_class_or_method(module)
    require(isinstance(module, nn.Module), "module", "a torch.nn.Module", type(module).__name__)
    require(not hasattr(module, "_orig_mod"), "module", "given before torch.compile", type(module).__name__)
    check_options("measure_module", options, module_signature().parameters)
    require(readout is None or callable(readout), "readout", "a function, a module or None", readout)
    x = as_numbers("inputs", inputs)
    ways = "of shape (sequence, time, input)" if isinstance(module, nn.RNNBase) else "of shape (sequence, time, …)"
    ways += NUMBER_AT_EACH_STEP if x.ndim == 2 else ""
    require(x.ndim == 3 or (x.ndim > 3 and not isinstance(module, nn.RNNBase)), "inputs", ways, tuple(x.shape))
    if isinstance(module, nn.RNNBase):
        width = module.input_size
        require(x.shape[2] == width, "inputs", f"of shape (sequence, time, {width}), for this module", tuple(x.shape))
    check_size(x)
    place = Place.of(options.get("device", "cpu"), options.get("precision", "double"))
    parts = find_model(module, x[:, 0], readout, state, place)
    settings: dict[str, Any] = {"lags": lags, "diagonal": parts.formulas, **options}
    return measure_step(
        parts.step, parts.parameters, parts.readout, x.flatten(2), targets, state_size=parts.state_size, **settings
    )


@torch.no_grad()
def find_model(
    module: nn.Module,
    x: Float[Tensor, "sequence *input"],
    readout: Callable[[Any], Tensor] | None,
    state: Any,
    place: Place = PROCESSOR,
) -> Parts:
    """Step, parameters, readout and size of the state of a module.

    Args:
        module, readout, state: of `measure_module`.
        x: of the first step.
        place: where the module runs, and in which precision.
    """
    model = _copy_at(module, place)
    read = _copy_at(readout, place) if isinstance(readout, nn.Module) else readout
    rows = place.take(repeat_rows(x, FEW))
    with place.by_default():
        form = find_form(model, rows, state, read)
        names = _names_of_step(model, form, rows)
    weights = {name: tensor.detach() for name, tensor in model.named_parameters()}
    constants = {name: tensor for name, tensor in weights.items() if name not in names}
    complex_names = {name for name in names if weights[name].is_complex()}

    def step(parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        values = {
            name: torch.view_as_complex(tensor) if name in complex_names else tensor
            for name, tensor in parameters.items()
        }
        with place.by_default():
            arguments = {**constants, **values}, unflatten(state, form.example), inputs.reshape(-1, *x.shape[1:])
            return flatten(form.step(*arguments))

    def readout_of(state: Tensor) -> Any:
        part = form.pick(unflatten(state, form.example))
        with place.by_default():
            return part if read is None else _read(read, part, place)

    theta = {
        name: torch.view_as_real(tensor) if name in complex_names else tensor
        for name, tensor in weights.items()
        if name in names
    }
    formulas = formulas_of(model)
    formulas = replace(formulas, constants=constants) if formulas else None
    return Parts(step, theta, readout_of, flatten(form.example).shape[1], formulas)


def _names_of_step(model: nn.Module, form: Form, rows: Tensor) -> set[str]:
    """Names of the parameters that are trained and that the state depends on; if none is trained, all count."""
    weights = dict(model.named_parameters())
    if not any(tensor.requires_grad for tensor in weights.values()):
        model.requires_grad_()  # a copy that was frozen after its training
    trainable = {name: tensor for name, tensor in weights.items() if tensor.requires_grad}
    with torch.enable_grad():
        after = flatten(form.step(weights, zeros_like(form.example), rows))
        has_gradient = after.requires_grad
        gradients = torch.autograd.grad(after.sum(), [*trainable.values()], allow_unused=True) if has_gradient else []
    names = {name for name, gradient in zip(trainable, gradients, strict=False) if gradient is not None}
    hint = ", without `detach()` or `torch.no_grad()` in its `forward`" if weights else ""
    require(len(names) > 0, "module", f"one with parameters that its state depends on{hint}", "none")
    return names


def _read(readout: Callable[[Any], Any], part: Any, place: Place) -> Any:
    """Outcome of a readout of a state; `InputError` for numbers of another type or an outcome of another shape."""
    took = f"the state {tuple(part.shape)}" if isinstance(part, Tensor) else f"a state that is {describe(part)}"
    try:
        y = readout(part)
    except RuntimeError as error:
        if isinstance(readout, nn.Module) or not says_types(error):
            raise
        raise InputError(
            f"'readout' must take {place.name} numbers. Got {in_one_line(error)}. Give a readout with weights as a "
            "torch.nn.Module, which is copied to double precision, or set precision='single'."
        ) from error
    except (TypeError, AttributeError, LookupError) as error:
        if isinstance(part, Tensor):
            raise
        raise InputError(f"'readout' must take {took}. Got {in_one_line(error)}") from error
    if isinstance(y, Tensor) and y.ndim not in (1, 2):
        layers = ""
        if isinstance(part, Tensor) and part.ndim == 3:
            layers = ", (sequence, layer, unit); take the last layer by `h[:, -1]`"
        raise InputError(
            f"'readout' must give (sequence,) or (sequence, output). It took {took}{layers}. Got {tuple(y.shape)}."
        )
    return y


def _copy_at(module: nn.Module, place: Place) -> nn.Module:
    """A copy of a module at a place, complex numbers in the same precision, and without dropout."""
    layers = [part for part in module.modules() if isinstance(part, nn.RNNBase)]
    weights = [part._flat_weights for part in layers]
    try:
        for part in layers:  # what a parametrization has computed cannot be copied, and each call computes it again
            part._flat_weights = []
        duplicate = deepcopy(module, _detached_by_id(module)).to(place.device).eval()
        # `to` would take complex numbers for real
        duplicate = duplicate.double() if place.dtype == torch.float64 else duplicate.float()
    except RuntimeError as error:
        raise InputError(
            "'module' must be one that copy.deepcopy copies (torch.nn.utils.parametrizations.weight_norm in place of "
            f"torch.nn.utils.weight_norm). Got {in_one_line(error)}"
        ) from error
    finally:
        for part, flat in zip(layers, weights, strict=True):
            part._flat_weights = flat
    for tensor in (*duplicate.parameters(), *duplicate.buffers()):
        if tensor.is_complex():
            tensor.data = tensor.data.to(place.dtype.to_complex())
    return duplicate


def _detached_by_id(module: nn.Module) -> dict[int, Tensor]:
    """Copies of tensors with a history that a module remembers, its last output, say; hooks may compute weights so."""
    parts = [vars(part) for part in module.modules() if not part._forward_pre_hooks]
    tensors = [tensor for part in parts for tensor in tensors_of([*part.values()])]
    return {id(tensor): tensor.detach().clone() for tensor in tensors if not tensor.is_leaf}
