"""Measure a torch module as it is: state, step and parameters are found by calling it once.

A module of `torch.nn` that takes whole sequences is called on sequences of one step. Any other is called as
`module(x, state)`, for one step. What it keeps from step to step, tensors in tuples, lists or dicts, of real or complex
numbers, is laid side by side in one vector for each sequence, as `measure_model` takes it.
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from numpy.typing import ArrayLike
from torch import Tensor, nn
from torch.func import functional_call

from learnability.cells import Parameters
from learnability.core.errors import InputError, in_one_line, require
from learnability.measured import Measured
from learnability.own_model import as_numbers, measure_model

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
    """What `measure_model` asks for, of a module."""

    step: Callable[[Parameters, Tensor, Tensor], Tensor]
    parameters: Parameters
    readout: Callable[[Tensor], Tensor]
    state_size: int


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
    """What `learnability.measure_model` finds, of a torch module whose state, step and parameters it finds itself.

    >>> import torch
    >>> from learnability import measure_module
    >>> lstm, head = torch.nn.LSTM(3, 8, batch_first=True), torch.nn.Linear(8, 1)
    >>> inputs = torch.randn(100, 40, 3)
    >>> measured = measure_module(lstm, inputs, inputs.cumsum(1).sum(2), readout=head)
    >>> measured.exact["lag"].tolist()
    [1, 2, 4, 8, 16, 32]

    Args:
        module: `torch.nn.RNN`, `LSTM` or `GRU`, of any number of layers and one direction; one of their cells; or a
            module that is called as `module(x, state)`, x (sequence, input), and returns the next state, or a pair of
            output and next state. A copy is measured, in double precision and without dropout, and of its parameters
            only those that move the state.
        inputs, targets: of `measure_model`.
        readout: a function or a module that makes ŷ_t, (sequence,), (sequence, 1) or, of several outputs,
            (sequence, output). It takes h_t of the last layer of a module of `torch.nn`, else the module's output if
            that is one of the state's tensors, else the state or the first tensor of a tuple. Without a readout ŷ_t is
            what it would take.
        state: a first state, of which the shapes alone count, for s_0 is 0. Without it the module is called as
            `module(x)` or `module(x, None)`.
        lags: ℓ; by default powers of 2 below the number of steps.
        **options: of `measure_model`.

    Raises:
        InputError: for a bidirectional module, whose state knows the future; for a module that does not take and return
            a state; for a missing readout if the output is none of the state's tensors; and as in `measure_model`.
    """
    require(isinstance(module, nn.Module), "module", "a torch.nn.Module", type(module).__name__)
    require(readout is None or callable(readout), "readout", "a function, a module or None", readout)
    x = as_numbers("inputs", inputs)
    require(x.ndim == 3, "inputs", "of shape (sequence, time, input)", tuple(x.shape))
    found = find_model(module, x[:, 0], readout, state)
    grid = [2**power for power in range((x.shape[1] - 1).bit_length()) if 2**power < x.shape[1]]
    asked = {"state_size": found.state_size, "lags": grid if lags is None else lags, **options}
    return measure_model(found.step, found.parameters, found.readout, x, targets, **asked)


@torch.no_grad()
def find_model(
    module: nn.Module, x: Float[Tensor, "sequence input"], readout: Callable[[Any], Tensor] | None, state: Any
) -> Found:
    """Step, parameters, readout and size of the state of a module.

    Args:
        module, readout, state: of `measure_module`.
        x: of the first step.
    """
    own = deepcopy(module).double().eval()
    read = deepcopy(readout).double().eval() if isinstance(readout, nn.Module) else readout
    rows = x[torch.arange(FEW) % len(x)]
    if isinstance(own, nn.RNNBase):
        call, example, shown = _of_sequences(own, rows)
    else:
        call, example, shown = _of_steps(own, rows, state, needs_output=read is None)
    named = dict(own.named_parameters())
    with torch.enable_grad():
        after = _flat(call(named, _zeros(example), rows))
        parts = torch.autograd.grad(after.sum(), list(named.values()), allow_unused=True) if after.requires_grad else []
    moving = {name for name, part in zip(named, parts, strict=False) if part is not None}
    require(len(moving) > 0, "module", "one with parameters that its state depends on", "none")
    held, theta = (
        {name: each.detach() for name, each in named.items() if (name in moving) == kept} for kept in (False, True)
    )

    def step(parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        return _flat(call({**held, **parameters}, _shaped(state, example), inputs))

    def readout_of(state: Tensor) -> Any:
        part = shown(_shaped(state, example))
        y = part if read is None else read(part)
        return y[:, 0] if isinstance(y, Tensor) and y.ndim == 2 and y.shape[1] == 1 else y

    return Found(step, theta, readout_of, _flat(example).shape[1])


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


def _of_steps(module: nn.Module, rows: Tensor, state: Any, needs_output: bool) -> Stepped:
    """A step of any other module."""
    given: dict[str, Tensor] = dict(module.named_parameters())

    def called(*arguments: Any) -> Any:
        return functional_call(module, given, arguments)

    starts: list[tuple[Any, ...]] = [(), (None,)] if state is None else [(_zeros(_repeated(state, len(rows))),)]
    first, reason = None, ""
    for start in starts:
        try:
            first = called(rows, *start)
            break
        except Exception as error:
            reason = in_one_line(error)
    if first is None:
        raise InputError(f"'module' must take x {tuple(rows.shape)} and its state (`state`: {WAY}). Got {reason}")
    found = [
        each
        for each in _readings(first, len(rows))
        if (_goes_on(called, rows, each) if state is None else _alike(each.state, starts[0][0]))
    ]
    if len(found) != 1:
        may = "both" if found else "neither"
        raise InputError(
            f"'module' must give its next state, or a pair of output and next state (`state`: {WAY}). "
            f"Got {_told(first)} of {len(rows)} sequences, which may be {may}."
        )
    is_pair, output, example = found[0]

    def call(parameters: Mapping[str, Tensor], kept: Any, inputs: Tensor) -> Any:
        after = functional_call(module, dict(parameters), (inputs, kept))
        return after[1] if is_pair else after

    places = [place for place, each in enumerate(_parts(example)) if _is_same(each, output)]
    if places:
        return call, example, lambda kept: _parts(kept)[places[0]]
    if is_pair and needs_output:
        raise InputError(
            "'readout' must be given if a module's output is none of its state's tensors: it takes the state, or the "
            "first tensor of a tuple. Got None."
        )
    return call, example, lambda kept: kept[0] if isinstance(kept, (tuple, list)) else kept


def _is_same(one: Tensor, other: Any) -> bool:
    return isinstance(other, Tensor) and one.shape == other.shape and torch.equal(one, other)


def _readings(given: Any, count: int) -> list[Given]:
    """What a module gives for so many sequences, as a state alone and, if it is a pair, as output and state."""
    pair = [Given(True, given[0], given[1])] if isinstance(given, (tuple, list)) and len(given) == 2 else []
    return [each for each in [Given(False, None, given), *pair] if _is_state(each.state, count)]


def _goes_on(called: Callable[..., Any], rows: Tensor, given: Given) -> bool:
    """Whether a module takes a state that it gave, and gives its like again."""
    try:
        after = _readings(called(rows, given.state), len(rows))
    except Exception:
        return False
    return any(each.is_pair == given.is_pair and _alike(each.state, given.state) for each in after)


def _is_state(given: Any, count: int) -> bool:
    """Whether it is tensors alone, each with so many sequences first."""
    if isinstance(given, Tensor):
        return given.ndim > 0 and len(given) == count
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
    """A state of zeros, in double precision."""
    return _mapped(
        lambda each: torch.zeros_like(each, dtype=torch.complex128 if each.is_complex() else torch.float64), state
    )


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
