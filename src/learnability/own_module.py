"""Measure a torch module as it is: state, step and parameters are found by calling it once.

A module of `torch.nn` that takes whole sequences is called on sequences of one step. Any other is called as
`module(x, state)`, for one step; if this fails, on sequences of one step. What it keeps from step to step, tensors in
tuples, lists or dicts, of real or complex numbers, is laid side by side in one vector for each sequence, as
`measure_model` takes it.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from numpy.typing import ArrayLike
from torch import Tensor, nn
from torch.func import functional_call

from learnability.cells import Parameters
from learnability.core.errors import InputError, in_one_line, require
from learnability.measurement.arguments import check_options, module_signature, refuse_class_or_method
from learnability.measurement.data import NUMBER_AT_EACH_STEP, as_numbers
from learnability.measurement.formulas import Formulas, formulas_of
from learnability.measurement.functions import almost_equal, says_types
from learnability.measurement.measured import Measured
from learnability.measurement.place import Place
from learnability.measurement.step import measure_step, without_single_output

FEW = 3
"""Number of rows on which a module is tried: not two, for a tensor of two rows looks like a pair."""
STATE_FORM = "what is kept from step to step: a tensor or a nest of tuples, lists and dicts of them, sequences first"
"""Form of a state, for errors."""
EITHER = "may be a state or a pair of output and state"
NEITHER = "is neither a state that it takes back nor a pair of output and such a state"

StepParts = tuple[Callable[..., Any], Any, Callable[[Any], Any]]
"""A step (parameters, state, input) → state, an example of a state, and what the readout takes of a state."""


class Outcome(NamedTuple):
    """A possible outcome of a module: a state, alone or behind an output."""

    is_pair: bool
    output: Any
    state: Any


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
    >>> from learnability.own_module import measure_module
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
    place: Place | None = None,
) -> Parts:
    """Step, parameters, readout and size of the state of a module.

    Args:
        module, readout, state: of `measure_module`.
        x: of the first step.
        place: where the module runs, and in which precision.
    """
    place = place or Place()
    model = _copy_at(module, place)
    read = _copy_at(readout, place) if isinstance(readout, nn.Module) else readout
    rows = place.take(x[torch.arange(FEW) % len(x)])
    with place.by_default():
        if isinstance(model, nn.RNNBase):
            require(
                state is None,
                "state",
                f"None for {type(model).__name__} of torch: its first state is 0",
                type(state).__name__,
            )
            call, example, pick = _step_of_torch(model, rows)
        else:
            call, example, pick = _step_of_other(model, rows, state, read)
    weights = dict(model.named_parameters())
    if not any(tensor.requires_grad for tensor in weights.values()):
        model.requires_grad_()  # a copy that was frozen after its training
    trainable = {name: tensor for name, tensor in weights.items() if tensor.requires_grad}
    with torch.enable_grad(), place.by_default():
        after = _flat(call(weights, _zeros(example), rows))
        has_gradient = after.requires_grad
        parts = torch.autograd.grad(after.sum(), list(trainable.values()), allow_unused=True) if has_gradient else []
    state_names = {name for name, part in zip(trainable, parts, strict=False) if part is not None}
    require(len(state_names) > 0, "module", "one with parameters that its state depends on", "none")
    constants = {name: tensor.detach() for name, tensor in weights.items() if name not in state_names}
    theta = {name: weights[name].detach() for name in weights if name in state_names}
    complex_names = {name for name, tensor in theta.items() if tensor.is_complex()}
    theta = {name: torch.view_as_real(tensor) if tensor.is_complex() else tensor for name, tensor in theta.items()}

    def step(parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        values = {
            name: torch.view_as_complex(tensor) if name in complex_names else tensor
            for name, tensor in parameters.items()
        }
        with place.by_default():
            return _flat(call({**constants, **values}, _shaped(state, example), inputs.reshape(-1, *x.shape[1:])))

    def readout_of(state: Tensor) -> Any:
        part = pick(_shaped(state, example))
        with place.by_default():
            y = part if read is None else _read(read, part, place)
        return without_single_output(y)

    formulas = formulas_of(model)
    formulas = replace(formulas, constants=constants) if formulas else None
    return Parts(step, theta, readout_of, _flat(example).shape[1], formulas)


def _read(readout: Callable[[Any], Any], part: Any, place: Place) -> Any:
    """Outcome of a readout of a state; `InputError` for numbers of another type or an outcome of another shape."""
    took = f"the state {tuple(part.shape)}" if isinstance(part, Tensor) else f"a state that is {_describe(part)}"
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
        duplicate = (
            duplicate.double() if place.dtype == torch.float64 else duplicate.float()
        )  # `to` would take complex numbers for real
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
    tensors = [tensor for part in parts for tensor in _parts([*part.values()])]
    return {id(tensor): tensor.detach().clone() for tensor in tensors if not tensor.is_leaf}


def _call_with(module: nn.Module, parameters: Mapping[str, Tensor], *arguments: Any) -> Any:
    """Outcome of a module with other parameters, also where it holds them in dicts and lists."""
    replacements = {
        id(parameter): parameters[name] for name, parameter in module.named_parameters() if name in parameters
    }
    put_back: list[tuple[Any, Any, Tensor]] = []
    for part in module.modules():
        for name, container in vars(part).items():
            if name in ("_parameters", "_buffers", "_modules") or not isinstance(container, (dict, list)):
                continue
            for key, parameter in list(container.items() if isinstance(container, dict) else enumerate(container)):
                if isinstance(parameter, nn.Parameter) and id(parameter) in replacements:
                    put_back.append((container, key, parameter))
                    container[key] = replacements[id(parameter)]
    try:
        return functional_call(module, dict(parameters), arguments)
    finally:
        for container, key, parameter in put_back:
            container[key] = parameter


def _step_of_torch(module: nn.RNNBase, rows: Tensor) -> StepParts:
    """A step of a module of `torch.nn`, whose state is h and, of an LSTM, c, each (sequence, layer, unit)."""
    forward = "False: the state of the other direction knows the future, so that no lag has a gradient of its own"
    require(not module.bidirectional, "module.bidirectional", forward, module.bidirectional)
    has_memory, time = isinstance(module, nn.LSTM), 1 if module.batch_first else 0
    units = [module.proj_size or module.hidden_size, *([module.hidden_size] if has_memory else [])]
    example = tuple(rows.new_zeros(len(rows), module.num_layers, size) for size in units)

    def call(parameters: Mapping[str, Tensor], state: Any, inputs: Tensor) -> Any:
        layers = tuple(tensor.transpose(0, 1).contiguous() for tensor in state)
        argument = layers if has_memory else layers[0]
        _, after = functional_call(module, dict(parameters), (inputs.unsqueeze(time), argument))
        return tuple(tensor.transpose(0, 1) for tensor in (after if has_memory else (after,)))

    return call, example, lambda state: state[0][:, -1]


@dataclass(frozen=True)
class Call:
    """A call of a module for one step, whichever form of x it takes.

    Args:
        of_sequences: True if x is (sequence, time, input), of one step, rather than (sequence, input).
        axes: place of the sequences in each tensor of the state of a module of whole sequences; by default the first.
    """

    module: nn.Module
    of_sequences: bool = False
    axes: Sequence[int] = ()

    def __call__(self, parameters: Mapping[str, Tensor], x: Float[Tensor, "sequence *input"], *state: Any) -> Any:
        """Outcome of the module; for a module of whole sequences without the axis of time, sequences first."""
        if not self.of_sequences:
            return _call_with(self.module, parameters, x, *state)
        outputs, after = self.over_time(parameters, x.unsqueeze(1), *state)
        return outputs[:, 0], self._move_axes(after, lambda tensor, axis: tensor.movedim(axis, 0))

    def over_time(
        self, parameters: Mapping[str, Tensor], x: Float[Tensor, "sequence time *input"], *state: Any
    ) -> tuple[Tensor, Any]:
        """Outputs and next state of a module of whole sequences, in the module's own axes."""
        arguments = [
            self._move_axes(argument, lambda part, axis: part.movedim(0, axis).contiguous()) for argument in state
        ]
        outcome = _call_with(self.module, parameters, x, *arguments)
        if isinstance(outcome, Tensor) and outcome.shape[:2] == x.shape[:2]:
            raise _Stateless(_describe(outcome))
        is_pair = isinstance(outcome, (tuple, list)) and len(outcome) == 2 and isinstance(outcome[0], Tensor)
        if not is_pair or outcome[0].shape[:2] != x.shape[:2] or not _is_state(outcome[1]):
            raise _Refused(f"{_describe(outcome)}, which is no pair of outputs (sequence, time, …) and next state")
        return outcome[0], outcome[1]

    def _move_axes(self, state: Any, move: Callable[[Tensor, int], Tensor]) -> Any:
        """A state with the axis of sequences of each tensor in another place."""
        if state is None:
            return None
        axes = iter(self.axes)
        return _map(lambda tensor: move(tensor, next(axes, 0)), state)


class _Refused(Exception):
    """Description of what a module gave where a state was expected."""


class _Failed(_Refused):
    """Error of a module's call, in one line."""


class _Stateless(_Refused):
    """Description of outputs that a module of whole sequences gave without a state."""


def _step_of_other(module: nn.Module, rows: Tensor, state: Any, readout: Callable[[Any], Any] | None) -> StepParts:
    """A step of a module that is not one of torch's modules of whole sequences."""
    try:
        call = Call(module)
        is_pair, output, example = _single_step_outcome(call, rows, state)
    except _Refused as of_step:
        try:
            call, (is_pair, output, example) = _whole_sequence_outcome(module, rows, state)
        except _Stateless as alone:
            raise InputError(
                "'module' must return its next state with its outputs, `return outputs, state`, and take that state "
                "as its second argument; otherwise give one step of it to learnability.measure_model"
                f"{_hint_of_recurrent_part(module)}. Got outputs alone, {alone}."
            ) from alone
        except _Refused as of_sequences:
            is_failed = isinstance(of_step, _Failed) and isinstance(of_sequences, _Failed)  # of another cause
            ways = _hint_of_first_state(state, of_step) + ("" if is_failed else _hint_of_recurrent_part(module))
            raise InputError(
                "'module' must take x and its state, and give its next state, or a pair of output and next state "
                f"(`state`: {STATE_FORM}){ways}. "
                f"Got {of_step}, for x (sequence, input) of shape {tuple(rows.shape)}; and "
                f"{of_sequences}, for x (sequence, time, input) of shape {(len(rows), 1, *rows.shape[1:])}."
            ) from of_sequences

    def step(parameters: Mapping[str, Tensor], state: Any, inputs: Tensor) -> Any:
        after = call(parameters, inputs, state)
        return after[1] if is_pair else after

    parts = list(enumerate(_parts(example)))
    places = [place for place, tensor in parts if _equal(tensor, output)]
    if places:
        return step, example, lambda state: _parts(state)[places[0]]
    layer_places = [place for place, tensor in parts if tensor.ndim == 3 and _equal(tensor[:, -1], output)]
    if layer_places and call.of_sequences:
        return step, example, lambda state: _parts(state)[layer_places[0]][:, -1]
    if is_pair and readout is None:
        raise InputError(
            "'readout' must be given for this module, whose output is not one of its state's tensors: a function of "
            "the state (of its first tensor, if the state is a tuple), such as the module's last layer. Got None."
        )

    def first(state: Any) -> Any:
        return state[0] if isinstance(state, (tuple, list)) else state

    if call.of_sequences and call.axes[0] == 1 and _takes_each_layer(readout, first(example)):
        return step, example, lambda state: first(state)[:, -1]
    return step, example, first


def _hint_of_recurrent_part(module: nn.Module) -> str:
    """Hint for a module that contains one of torch's and does not return its state."""
    kinds = (nn.RNNBase, nn.RNNCellBase)
    names = [name for name, part in module.named_modules() if name and isinstance(part, kinds)]
    return f"; or measure its recurrent part, module.{names[0]}, and give the rest as `readout`" if names else ""


def _hint_of_first_state(state: Any, refusal: _Refused) -> str:
    """Hint for a module that does not take None for a state."""
    is_missing = state is None and "NoneType" in str(refusal)
    return (
        "; if it does not take None for its first state, give one as `state`, torch.zeros(1, 5), say"
        if is_missing
        else ""
    )


def _takes_each_layer(readout: Callable[[Any], Any] | None, state: Any) -> bool:
    """True if a readout takes each layer on its own, as `torch.nn.Linear` does: (sequence, layer, unit) to outputs."""
    if readout is None or not isinstance(state, Tensor) or state.ndim != 3:
        return False
    try:
        outputs = readout(state)
    except Exception:  # which is said where the readout is checked
        return False
    return isinstance(outputs, Tensor) and outputs.ndim == 3 and outputs.shape[:2] == state.shape[:2]


def _single_step_outcome(call: Call, rows: Tensor, state: Any) -> Outcome:
    """Outcome of a module for x (sequence, input); `_Refused` if it is no state."""
    start, first = _first_call(call, rows, state)
    readings = [
        reading
        for reading in _possible_outcomes(first, len(rows))
        if (_takes_back(call, rows, reading) if state is None else _has_same_form(reading.state, start[0]))
    ]
    if len(readings) != 1:
        raise _Refused(f"{_describe(first)} of {len(rows)} sequences, which {EITHER if readings else NEITHER}")
    # what has as many rows as there are sequences may be the layers of a module that takes x for one sequence
    more = _one_more(rows)
    _, again = _first_call(call, more, state)
    if not any(reading.is_pair == readings[0].is_pair for reading in _possible_outcomes(again, len(more))):
        raise _Refused(f"{_describe(again)} of {len(more)} sequences, which {NEITHER}")
    return readings[0]


def _whole_sequence_outcome(module: nn.Module, rows: Tensor, state: Any) -> tuple[Call, Outcome]:
    """A call of a module on sequences of one step, and what it gives; `_Refused` if that is no state."""
    weights, call = dict(module.named_parameters()), Call(module, of_sequences=True)
    start, _ = _first_call(call, rows, state)
    (_, few), (_, more) = (
        call.over_time(weights, batch.unsqueeze(1), *_first_call(call, batch, state)[0])
        for batch in (rows, _one_more(rows))
    )
    axes = [_axis_of_sequences(*pair) for pair in zip(_parts(few), _parts(more), strict=False)]
    if any(axis is None for axis in axes):
        raise _Refused(
            f"a state, {_describe(few)} of {len(rows)} sequences, in which some tensor has no axis of sequences "
            "(batch_first=True, if time came first)"
        )
    call = replace(call, axes=[axis for axis in axes if axis is not None])
    outcome = Outcome(True, *call(weights, rows, *start))
    if not _takes_back(call, rows, outcome):
        raise _Refused(f"a state, {_describe(few)} of {len(rows)} sequences, that it does not take back")
    later = rows.flip(0)
    for before, after in ((start, outcome.state), ((outcome.state,), call(weights, rows, outcome.state)[1])):
        try:
            _, together = call.over_time(weights, torch.stack([rows, later], 1), *before)
            _, apart = call.over_time(weights, later.unsqueeze(1), after)
        except Exception as error:
            raise _Refused(f"of two steps {in_one_line(error)}") from error
        if not _has_same_form(together, apart) or not all(map(almost_equal, _parts(together), _parts(apart))):
            raise _Refused(
                "another state from two steps in one call than from two calls of one step, as where a layer looks "
                "ahead or the state leaves something out"
            )
    return call, outcome


def _first_call(call: Call, rows: Tensor, state: Any) -> tuple[tuple[Any, ...], Any]:
    """The first state as an argument, if there is one, and what a module gives with it; `_Refused` if it fails."""
    starts: list[tuple[Any, ...]] = [(), (None,)] if state is None else [(_zeros(_repeat(state, len(rows))),)]
    reason = ""
    for start in starts:
        try:
            return start, call(dict(call.module.named_parameters()), rows, *start)
        except _Refused:
            raise
        except Exception as error:
            reason = in_one_line(error)
    raise _Failed(reason)


def _one_more(rows: Tensor) -> Tensor:
    return rows[torch.arange(len(rows) + 1) % len(rows)]


def _axis_of_sequences(few: Tensor, more: Tensor) -> int | None:
    """The one axis that grows with the number of sequences, if there is just one."""
    axes = [
        axis for axis, (size, next_size) in enumerate(zip(few.shape, more.shape, strict=False)) if size != next_size
    ]
    return axes[0] if len(axes) == 1 else None


def _equal(tensor: Tensor, candidate: Any) -> bool:
    return isinstance(candidate, Tensor) and tensor.shape == candidate.shape and torch.equal(tensor, candidate)


def _possible_outcomes(outcome: Any, count: int) -> list[Outcome]:
    """Possible readings of an outcome for `count` sequences: a state alone and, if it is a pair, output and state."""
    pair = [Outcome(True, outcome[0], outcome[1])] if isinstance(outcome, (tuple, list)) and len(outcome) == 2 else []
    return [reading for reading in [Outcome(False, None, outcome), *pair] if _is_state(reading.state, count)]


def _takes_back(call: Call, rows: Tensor, reading: Outcome) -> bool:
    """True if a module takes a state that it gave, and gives a state of the same form again."""
    try:
        after = _possible_outcomes(call(dict(call.module.named_parameters()), rows, reading.state), len(rows))
    except Exception:
        return False
    return any(again.is_pair == reading.is_pair and _has_same_form(again.state, reading.state) for again in after)


def _is_state(value: Any, count: int | None = None) -> bool:
    """True for a nest of tensors alone, each with `count` sequences first, or, without a count, of any shape."""
    if isinstance(value, Tensor):
        return count is None or (value.ndim > 0 and len(value) == count)
    parts = list(value.values()) if isinstance(value, dict) else value
    return isinstance(parts, (tuple, list)) and len(parts) > 0 and all(_is_state(part, count) for part in parts)


def _has_same_form(first: Any, second: Any) -> bool:
    """True if two states have the same parts, of the same shapes."""
    if isinstance(first, Tensor) or isinstance(second, Tensor):
        return isinstance(first, Tensor) and isinstance(second, Tensor) and first.shape == second.shape
    if isinstance(first, dict) or isinstance(second, dict):
        same_names = isinstance(first, dict) and isinstance(second, dict) and first.keys() == second.keys()
        return same_names and all(_has_same_form(first[name], second[name]) for name in first)
    return len(first) == len(second) and all(map(_has_same_form, first, second))


def _describe(value: Any) -> str:
    if isinstance(value, Tensor):
        return f"a tensor of shape {tuple(value.shape)}"
    if isinstance(value, dict):
        return f"a dict of {', '.join(f'{name}: {_describe(part)}' for name, part in value.items())}"
    if isinstance(value, (tuple, list)):
        return f"a {type(value).__name__} of {', '.join(map(_describe, value))}"
    return f"a {type(value).__name__}"


def _map(function: Callable[[Tensor], Tensor], state: Any) -> Any:
    """A state whose tensors a function has changed."""
    if isinstance(state, Tensor):
        return function(state)
    if isinstance(state, dict):
        return {name: _map(function, part) for name, part in state.items()}
    parts = [_map(function, part) for part in state]
    return type(state)(*parts) if hasattr(state, "_fields") else type(state)(parts)


def _repeat(state: Any, count: int) -> Any:
    """A state of so many sequences."""
    lengths = {len(tensor) if tensor.ndim else 0 for tensor in _parts(state)}
    if len(lengths) != 1 or not _is_state(state, max(lengths)):
        raise InputError(f"'state' must be {STATE_FORM}. Got {_describe(state)}.")
    return _map(lambda tensor: tensor[torch.arange(count) % len(tensor)], state)


def _zeros(state: Any) -> Any:
    """A state of zeros, of the type and on the device that are the default."""
    real = torch.get_default_dtype()
    return _map(
        lambda tensor: torch.zeros(tensor.shape, dtype=real.to_complex() if tensor.is_complex() else real), state
    )


def _parts(state: Any) -> list[Tensor]:
    """The tensors of a state, in order."""
    if not isinstance(state, (tuple, list, dict)):
        return [state] if isinstance(state, Tensor) else []
    return [part for item in (state.values() if isinstance(state, dict) else state) for part in _parts(item)]


def _flat(state: Any) -> Float[Tensor, "sequence state"]:
    """Numbers of a state side by side; both parts of a complex number."""
    real = [torch.view_as_real(tensor) if tensor.is_complex() else tensor for tensor in _parts(state)]
    return torch.cat([tensor.reshape(len(tensor), -1) for tensor in real], 1)


def _shaped(flat: Float[Tensor, "sequence state"], example: Any) -> Any:
    """A state like the example, of numbers side by side."""
    place = 0

    def take(like: Tensor) -> Tensor:
        nonlocal place
        size = like[0].numel() * (2 if like.is_complex() else 1)
        numbers = flat[:, place : place + size]
        place += size
        if like.is_complex():
            return torch.view_as_complex(numbers.reshape(len(flat), *like.shape[1:], 2).contiguous())
        return numbers.reshape(len(flat), *like.shape[1:])

    return _map(take, example)
