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
from learnability.measured import Measured
from learnability.own_diagonal import diagonal_of
from learnability.own_model import (
    TOLERANCE,
    Place,
    as_numbers,
    check_options,
    measure_step,
    module_signature,
    refuse_class_or_method,
)

FEW = 3
"""Rows of which a module is tried: not two, for a tensor of two rows looks like a pair."""
WAY = "what it keeps from step to step: a tensor, or tuples, lists and dicts of tensors, each with sequences first"

Stepped = tuple[Callable[..., Any], Any, Callable[[Any], Any]]
"""A step (parameters, state, input) → state, an example of a state, and what the readout takes of a state."""


class Given(NamedTuple):
    """What a module may have given: a state, alone or behind an output."""

    is_pair: bool
    output: Any
    state: Any


class Found(NamedTuple):
    """Parts of a module that `measure_step` asks for."""

    step: Callable[[Parameters, Tensor, Tensor], Tensor]
    parameters: Parameters
    readout: Callable[[Tensor], Tensor]
    state_size: int
    diagonal: Callable[[Parameters, Tensor, Tensor], Tensor] | None


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
    """`learnability.measure_model` of a torch module, whose state, step and parameters are found.

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
        targets: of `learnability.own_model.measure_step`.
        readout: a function or a module that makes ŷ_t, (sequence,), (sequence, 1) or, of several outputs,
            (sequence, output). It takes h_t of the last layer of a module of `torch.nn`, else the module's output if
            that is one of the state's tensors, else the state or the first tensor of a tuple. A module of whole
            sequences may also put out the last layer of a state (layer, sequence, unit); a readout that takes such a
            state gets it as (sequence, layer, unit), or, if it takes each layer on its own, as `torch.nn.Linear` does,
            the last layer. Without a readout ŷ_t is what it would take.
        state: a first state, of which the shapes alone count, for s_0 is 0. Without it the module is called as
            `module(x)` or `module(x, None)`.
        lags: ℓ; by default powers of 2 below the number of steps.
        **options: of `learnability.own_model.measure_step`: `mask`, `reading`, `device`, `precision`, say.

    Raises:
        InputError: for a bidirectional module, whose state knows the future; for a module that does not take and return
            a state; for a module of whole sequences that two steps in one call leave in another state than two calls;
            for a missing readout if the output is none of the state's tensors; and as in `measure_step`.
    """
    refuse_class_or_method(module)
    require(isinstance(module, nn.Module), "module", "a torch.nn.Module", type(module).__name__)
    require(not hasattr(module, "_orig_mod"), "module", "given before torch.compile", type(module).__name__)
    check_options("measure_module", options, module_signature().parameters)
    require(readout is None or callable(readout), "readout", "a function, a module or None", readout)
    x = as_numbers("inputs", inputs)
    ways = "of shape (sequence, time, input)" if isinstance(module, nn.RNNBase) else "of shape (sequence, time, …)"
    ways += ", inputs[..., None] for one number at each step" if x.ndim == 2 else ""
    require(x.ndim == 3 or (x.ndim > 3 and not isinstance(module, nn.RNNBase)), "inputs", ways, tuple(x.shape))
    if isinstance(module, nn.RNNBase):
        width = module.input_size
        require(x.shape[2] == width, "inputs", f"of shape (sequence, time, {width}), for this module", tuple(x.shape))
    place = Place.of(options.get("device", "cpu"), options.get("precision", "double"))
    found = find_model(module, x[:, 0], readout, state, place)
    grid = [2**power for power in range((x.shape[1] - 1).bit_length()) if 2**power < x.shape[1]]
    asked: dict[str, Any] = {"lags": grid if lags is None else lags, "diagonal": found.diagonal, **options}
    return measure_step(
        found.step, found.parameters, found.readout, x.flatten(2), targets, state_size=found.state_size, **asked
    )


@torch.no_grad()
def find_model(
    module: nn.Module,
    x: Float[Tensor, "sequence *input"],
    readout: Callable[[Any], Tensor] | None,
    state: Any,
    place: Place | None = None,
) -> Found:
    """Step, parameters, readout and size of the state of a module.

    Args:
        module, readout, state: of `measure_module`.
        x: of the first step.
        place: where the module runs, and in which precision.
    """
    place = place or Place()
    own = _moved(module, place)
    read = _moved(readout, place) if isinstance(readout, nn.Module) else readout
    rows = place.take(x[torch.arange(FEW) % len(x)])
    with place.by_default():
        if isinstance(own, nn.RNNBase):
            call, example, shown = _of_sequences(own, rows)
        else:
            call, example, shown = _of_steps(own, rows, state, read)
    named = dict(own.named_parameters())
    if not any(each.requires_grad for each in named.values()):
        own.requires_grad_()  # a copy that was frozen after its training
    trained = {name: each for name, each in named.items() if each.requires_grad}
    with torch.enable_grad(), place.by_default():
        after = _flat(call(named, _zeros(example), rows))
        moved = after.requires_grad
        parts = torch.autograd.grad(after.sum(), list(trained.values()), allow_unused=True) if moved else []
    moving = {name for name, part in zip(trained, parts, strict=False) if part is not None}
    require(len(moving) > 0, "module", "one with parameters that its state depends on", "none")
    held = {name: each.detach() for name, each in named.items() if name not in moving}
    theta = {name: named[name].detach() for name in named if name in moving}
    complex_names = {name for name, each in theta.items() if each.is_complex()}
    theta = {name: torch.view_as_real(each) if each.is_complex() else each for name, each in theta.items()}

    def step(parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        given = {
            name: torch.view_as_complex(each) if name in complex_names else each for name, each in parameters.items()
        }
        with place.by_default():
            return _flat(call({**held, **given}, _shaped(state, example), inputs.reshape(-1, *x.shape[1:])))

    def readout_of(state: Tensor) -> Any:
        part = shown(_shaped(state, example))
        with place.by_default():
            y = part if read is None else _read(read, part, place)
        return y[:, 0] if isinstance(y, Tensor) and y.ndim == 2 and y.shape[1] == 1 else y

    formula = diagonal_of(own)

    def diagonal(parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        assert formula is not None
        return _flat(formula({**held, **parameters}, _shaped(state, example), inputs))

    return Found(step, theta, readout_of, _flat(example).shape[1], diagonal if formula else None)


def _read(readout: Callable[[Any], Any], part: Any, place: Place) -> Any:
    """What a readout makes of a state, or `InputError` for numbers of another type or an outcome of another shape."""
    took = f"the state {tuple(part.shape)}" if isinstance(part, Tensor) else f"a state that is {_told(part)}"
    try:
        y = readout(part)
    except RuntimeError as error:
        if isinstance(readout, nn.Module) or not any(kind in str(error) for kind in ("dtype", "scalar type")):
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


def _moved(module: nn.Module, place: Place) -> nn.Module:
    """A copy of a module at a place, complex numbers in the same precision, and without dropout."""
    made = [part for part in module.modules() if isinstance(part, nn.RNNBase)]
    weights = [part._flat_weights for part in made]
    try:
        for part in made:  # what a parametrization has computed cannot be copied, and each call computes it again
            part._flat_weights = []
        own = deepcopy(module).to(place.device).eval()
        own = own.double() if place.dtype == torch.float64 else own.float()  # `to` would take complex numbers for real
    except RuntimeError as error:
        raise InputError(
            "'module' must be one that copy.deepcopy copies (torch.nn.utils.parametrizations.weight_norm in place of "
            f"torch.nn.utils.weight_norm). Got {in_one_line(error)}"
        ) from error
    finally:
        for part, held in zip(made, weights, strict=True):
            part._flat_weights = held
    for each in (*own.parameters(), *own.buffers()):
        if each.is_complex():
            each.data = each.data.to(place.dtype.to_complex())
    return own


def _called_with(module: nn.Module, parameters: Mapping[str, Tensor], *given: Any) -> Any:
    """What a module makes of its arguments with other parameters, also of those that it holds in dicts and lists."""
    other = {id(each): parameters[name] for name, each in module.named_parameters() if name in parameters}
    put_back: list[tuple[Any, Any, Tensor]] = []
    for part in module.modules():
        for name, held in vars(part).items():
            if name in ("_parameters", "_buffers", "_modules") or not isinstance(held, (dict, list)):
                continue
            for key, each in list(held.items() if isinstance(held, dict) else enumerate(held)):
                if isinstance(each, nn.Parameter) and id(each) in other:
                    put_back.append((held, key, each))
                    held[key] = other[id(each)]
    try:
        return functional_call(module, dict(parameters), given)
    finally:
        for held, key, each in put_back:
            held[key] = each


def _of_sequences(module: nn.RNNBase, rows: Tensor) -> Stepped:
    """A step of a module of `torch.nn`, whose state is h and, of an LSTM, c, each (sequence, layer, unit)."""
    forward = "False: the state of the other direction knows the future, so that no lag has a gradient of its own"
    require(not module.bidirectional, "module.bidirectional", forward, module.bidirectional)
    has_memory, time = isinstance(module, nn.LSTM), 1 if module.batch_first else 0
    units = [module.proj_size or module.hidden_size, *([module.hidden_size] if has_memory else [])]
    example = tuple(rows.new_zeros(len(rows), module.num_layers, each) for each in units)

    def call(parameters: Mapping[str, Tensor], state: Any, inputs: Tensor) -> Any:
        layers = tuple(each.transpose(0, 1).contiguous() for each in state)
        taken = layers if has_memory else layers[0]
        _, after = functional_call(module, dict(parameters), (inputs.unsqueeze(time), taken))
        return tuple(each.transpose(0, 1) for each in (after if has_memory else (after,)))

    return call, example, lambda state: state[0][:, -1]


@dataclass(frozen=True)
class Call:
    """A call of a module for one step, whichever form of x it takes.

    Args:
        of_sequences: whether x is (sequence, time, input), of one step, rather than (sequence, input).
        axes: place of the sequences in each tensor of the state of a module of whole sequences; by default the first.
    """

    module: nn.Module
    of_sequences: bool = False
    axes: Sequence[int] = ()

    def __call__(self, parameters: Mapping[str, Tensor], x: Float[Tensor, "sequence *input"], *state: Any) -> Any:
        """What the module gives; of a module of whole sequences without an axis of time and with sequences first."""
        if not self.of_sequences:
            return _called_with(self.module, parameters, x, *state)
        outputs, after = self.over_time(parameters, x.unsqueeze(1), *state)
        return outputs[:, 0], self._moved(after, lambda each, axis: each.movedim(axis, 0))

    def over_time(
        self, parameters: Mapping[str, Tensor], x: Float[Tensor, "sequence time *input"], *state: Any
    ) -> tuple[Tensor, Any]:
        """Outputs and next state of a module of whole sequences, as it gives them."""
        taken = [self._moved(each, lambda part, axis: part.movedim(0, axis).contiguous()) for each in state]
        given = _called_with(self.module, parameters, x, *taken)
        if isinstance(given, Tensor) and given.shape[:2] == x.shape[:2]:
            raise _Stateless(_told(given))
        is_pair = isinstance(given, (tuple, list)) and len(given) == 2 and isinstance(given[0], Tensor)
        if not is_pair or given[0].shape[:2] != x.shape[:2] or not _is_state(given[1]):
            raise _Refused(f"{_told(given)}, which is no pair of outputs (sequence, time, …) and next state")
        return given[0], given[1]

    def _moved(self, state: Any, move: Callable[[Tensor, int], Tensor]) -> Any:
        """A state with the axis of sequences of each tensor in another place."""
        if state is None:
            return None
        axes = iter(self.axes)
        return _mapped(lambda each: move(each, next(axes, 0)), state)


class _Refused(Exception):
    """What a module gave, in words, where a state was expected."""


class _Stateless(_Refused):
    """Outputs of a module of whole sequences, in words, where these came without a state."""


def _of_steps(module: nn.Module, rows: Tensor, state: Any, readout: Callable[[Any], Any] | None) -> Stepped:
    """A step of any other module."""
    try:
        call = Call(module)
        is_pair, output, example = _of_single_steps(call, rows, state)
    except _Refused as of_step:
        try:
            call, (is_pair, output, example) = _of_whole_sequences(module, rows, state)
        except _Stateless as alone:
            raise InputError(
                "'module' must return its next state with its outputs, `return outputs, state`, and take that state "
                f"as its second argument; otherwise give one step of it to learnability.measure_model{_inner(module)}. "
                f"Got outputs alone, {alone}."
            ) from alone
        except _Refused as of_sequences:
            ways = _first_state(state, of_step) + _inner(module)
            raise InputError(
                "'module' must take x and its state, and give its next state, or a pair of output and next state "
                f"(`state`: {WAY}){ways}. Got {of_step}, for x (sequence, input) of shape {tuple(rows.shape)}; and "
                f"{of_sequences}, for x (sequence, time, input) of shape {(len(rows), 1, *rows.shape[1:])}."
            ) from of_sequences

    def step(parameters: Mapping[str, Tensor], kept: Any, inputs: Tensor) -> Any:
        after = call(parameters, inputs, kept)
        return after[1] if is_pair else after

    parts = list(enumerate(_parts(example)))
    places = [place for place, each in parts if _is_same(each, output)]
    if places:
        return step, example, lambda kept: _parts(kept)[places[0]]
    of_layers = [place for place, each in parts if each.ndim == 3 and _is_same(each[:, -1], output)]
    if of_layers and call.of_sequences:
        return step, example, lambda kept: _parts(kept)[of_layers[0]][:, -1]
    if is_pair and readout is None:
        raise InputError(
            "'readout' must be given if a module's output is none of its state's tensors: it takes the state, or the "
            "first tensor of a tuple. Got None."
        )

    def first(kept: Any) -> Any:
        return kept[0] if isinstance(kept, (tuple, list)) else kept

    if call.of_sequences and call.axes[0] == 1 and _is_of_layers(readout, first(example)):
        return step, example, lambda kept: first(kept)[:, -1]
    return step, example, first


def _inner(module: nn.Module) -> str:
    """The way out for a module around one of torch's own that keeps the state to itself."""
    kinds = (nn.RNNBase, nn.RNNCellBase)
    names = [name for name, part in module.named_modules() if name and isinstance(part, kinds)]
    return f"; or measure its recurrent part, module.{names[0]}, and give the rest as `readout`" if names else ""


def _first_state(state: Any, refused: _Refused) -> str:
    """The way out for a module that does not take None for a state."""
    missing = state is None and "NoneType" in str(refused)
    return (
        "; if it does not take None for its first state, give one as `state`, torch.zeros(1, 5), say" if missing else ""
    )


def _is_of_layers(readout: Callable[[Any], Any] | None, state: Any) -> bool:
    """Whether a readout takes each layer on its own, as `torch.nn.Linear` does: (sequence, layer, unit) to outputs."""
    if readout is None or not isinstance(state, Tensor) or state.ndim != 3:
        return False
    try:
        outputs = readout(state)
    except Exception:  # which is said where the readout is checked
        return False
    return isinstance(outputs, Tensor) and outputs.ndim == 3 and outputs.shape[:2] == state.shape[:2]


def _of_single_steps(call: Call, rows: Tensor, state: Any) -> Given:
    """What a module gives for x (sequence, input); `_Refused` if that is no state."""
    start, first = _first(call, rows, state)
    found = [
        each
        for each in _readings(first, len(rows))
        if (_goes_on(call, rows, each) if state is None else _alike(each.state, start[0]))
    ]
    if len(found) != 1:
        may = "both" if found else "neither"
        raise _Refused(f"{_told(first)} of {len(rows)} sequences, which may be {may}")
    # what has as many rows as there are sequences may be the layers of a module that takes x for one sequence
    more = _one_more(rows)
    _, again = _first(call, more, state)
    if not any(each.is_pair == found[0].is_pair for each in _readings(again, len(more))):
        raise _Refused(f"{_told(again)} of {len(more)} sequences, which may be neither")
    return found[0]


def _of_whole_sequences(module: nn.Module, rows: Tensor, state: Any) -> tuple[Call, Given]:
    """A call of a module on sequences of one step, and what it gives; `_Refused` if that is no state."""
    named, call = dict(module.named_parameters()), Call(module, of_sequences=True)
    start, _ = _first(call, rows, state)
    (_, few), (_, more) = (
        call.over_time(named, some.unsqueeze(1), *_first(call, some, state)[0]) for some in (rows, _one_more(rows))
    )
    axes = [_axis_of_sequences(*pair) for pair in zip(_parts(few), _parts(more), strict=False)]
    if any(axis is None for axis in axes):
        raise _Refused(
            f"a state, {_told(few)} of {len(rows)} sequences, in which some tensor has no axis of sequences "
            "(batch_first=True, if time came first)"
        )
    call = replace(call, axes=[axis for axis in axes if axis is not None])
    given = Given(True, *call(named, rows, *start))
    if not _goes_on(call, rows, given):
        raise _Refused(f"a state, {_told(few)} of {len(rows)} sequences, that it does not take back")
    later = rows.flip(0)
    for before, after in ((start, given.state), ((given.state,), call(named, rows, given.state)[1])):
        try:
            _, together = call.over_time(named, torch.stack([rows, later], 1), *before)
            _, apart = call.over_time(named, later.unsqueeze(1), after)
        except Exception as error:
            raise _Refused(f"of two steps {in_one_line(error)}") from error
        if not _alike(together, apart) or not all(map(_agree, _parts(together), _parts(apart))):
            raise _Refused(
                "another state from two steps in one call than from two calls of one step, as where a layer looks "
                "ahead or the state leaves something out"
            )
    return call, given


def _first(call: Call, rows: Tensor, state: Any) -> tuple[tuple[Any, ...], Any]:
    """The first state as an argument, if there is one, and what a module gives with it; `_Refused` if it fails."""
    starts: list[tuple[Any, ...]] = [(), (None,)] if state is None else [(_zeros(_repeated(state, len(rows))),)]
    reason = ""
    for start in starts:
        try:
            return start, call(dict(call.module.named_parameters()), rows, *start)
        except _Refused:
            raise
        except Exception as error:
            reason = in_one_line(error)
    raise _Refused(reason)


def _one_more(rows: Tensor) -> Tensor:
    return rows[torch.arange(len(rows) + 1) % len(rows)]


def _axis_of_sequences(few: Tensor, more: Tensor) -> int | None:
    """The one axis that grows with the number of sequences, if there is just one."""
    axes = [axis for axis, (one, other) in enumerate(zip(few.shape, more.shape, strict=False)) if one != other]
    return axes[0] if len(axes) == 1 else None


def _agree(one: Tensor, other: Tensor) -> bool:
    return bool((one - other).abs().max() <= TOLERANCE * one.abs().max())


def _is_same(one: Tensor, other: Any) -> bool:
    return isinstance(other, Tensor) and one.shape == other.shape and torch.equal(one, other)


def _readings(given: Any, count: int) -> list[Given]:
    """What a module gives for so many sequences, as a state alone and, if it is a pair, as output and state."""
    pair = [Given(True, given[0], given[1])] if isinstance(given, (tuple, list)) and len(given) == 2 else []
    return [each for each in [Given(False, None, given), *pair] if _is_state(each.state, count)]


def _goes_on(call: Call, rows: Tensor, given: Given) -> bool:
    """Whether a module takes a state that it gave, and gives its like again."""
    try:
        after = _readings(call(dict(call.module.named_parameters()), rows, given.state), len(rows))
    except Exception:
        return False
    return any(each.is_pair == given.is_pair and _alike(each.state, given.state) for each in after)


def _is_state(given: Any, count: int | None = None) -> bool:
    """Whether it is tensors alone, each with so many sequences first, or, without a count, of any shape."""
    if isinstance(given, Tensor):
        return count is None or (given.ndim > 0 and len(given) == count)
    parts = list(given.values()) if isinstance(given, dict) else given
    return isinstance(parts, (tuple, list)) and len(parts) > 0 and all(_is_state(each, count) for each in parts)


def _alike(one: Any, other: Any) -> bool:
    """Whether two states have the same parts, of the same shapes."""
    if isinstance(one, Tensor) or isinstance(other, Tensor):
        return isinstance(one, Tensor) and isinstance(other, Tensor) and one.shape == other.shape
    if isinstance(one, dict) or isinstance(other, dict):
        same = isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys()
        return same and all(_alike(one[name], other[name]) for name in one)
    return len(one) == len(other) and all(map(_alike, one, other))


def _told(given: Any) -> str:
    if isinstance(given, Tensor):
        return f"a tensor of shape {tuple(given.shape)}"
    if isinstance(given, dict):
        return f"a dict of {', '.join(f'{name}: {_told(each)}' for name, each in given.items())}"
    if isinstance(given, (tuple, list)):
        return f"a {type(given).__name__} of {', '.join(map(_told, given))}"
    return f"a {type(given).__name__}"


def _mapped(function: Callable[[Tensor], Tensor], state: Any) -> Any:
    """A state whose tensors a function has changed."""
    if isinstance(state, Tensor):
        return function(state)
    if isinstance(state, dict):
        return {name: _mapped(function, each) for name, each in state.items()}
    parts = [_mapped(function, each) for each in state]
    return type(state)(*parts) if hasattr(state, "_fields") else type(state)(parts)


def _repeated(state: Any, count: int) -> Any:
    """A state of so many sequences."""
    lengths = {len(each) if each.ndim else 0 for each in _parts(state)}
    require(len(lengths) == 1 and _is_state(state, max(lengths)), "state", WAY, _told(state))
    return _mapped(lambda each: each[torch.arange(count) % len(each)], state)


def _zeros(state: Any) -> Any:
    """A state of zeros, of the type and on the device that are the default."""
    real = torch.get_default_dtype()
    return _mapped(lambda each: torch.zeros(each.shape, dtype=real.to_complex() if each.is_complex() else real), state)


def _parts(state: Any) -> list[Tensor]:
    """The tensors of a state, in order."""
    if not isinstance(state, (tuple, list, dict)):
        return [state] if isinstance(state, Tensor) else []
    return [part for each in (state.values() if isinstance(state, dict) else state) for part in _parts(each)]


def _flat(state: Any) -> Float[Tensor, "sequence state"]:
    """All numbers of a state side by side; of complex ones both parts."""
    real = [torch.view_as_real(each) if each.is_complex() else each for each in _parts(state)]
    return torch.cat([each.reshape(len(each), -1) for each in real], 1)


def _shaped(flat: Float[Tensor, "sequence state"], example: Any) -> Any:
    """A state like the example, of numbers side by side."""
    place = 0

    def taken(like: Tensor) -> Tensor:
        nonlocal place
        size = like[0].numel() * (2 if like.is_complex() else 1)
        numbers = flat[:, place : place + size]
        place += size
        if like.is_complex():
            return torch.view_as_complex(numbers.reshape(len(flat), *like.shape[1:], 2).contiguous())
        return numbers.reshape(len(flat), *like.shape[1:])

    return _mapped(taken, example)
