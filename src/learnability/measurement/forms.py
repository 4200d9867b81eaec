"""Forms of modules: how a module is called for a step, what its state is, and what of the state a readout takes.

A module of `torch.nn` that takes whole sequences is called on sequences of one step. Any other is called as
`module(x, state)`, for one step; if this fails, on sequences of one step.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.func import functional_call

from learnability.core.errors import InputError, in_one_line, require
from learnability.measurement.calls import Call, Failed, Refused, Stateless
from learnability.measurement.functions import almost_equal
from learnability.measurement.states import (
    STATE_FORM,
    describe,
    find_flaw,
    has_same_form,
    is_state,
    repeat,
    repeat_rows,
    tensors_of,
    zeros_like,
)

AMBIGUOUS = "may be a state or a pair of output and state"
NO_STATE = "is neither a state that it takes back nor a pair of output and such a state"


class Form(NamedTuple):
    """A module as a step.

    Args:
        step: the next state, from parameters, state and x (sequence, input).
        example: a state.
        pick: what the readout takes of a state.
    """

    step: Callable[..., Any]
    example: Any
    pick: Callable[[Any], Any]


class Outcome(NamedTuple):
    """A possible outcome of a module: a state, alone or behind an output."""

    is_pair: bool
    output: Any
    state: Any


def find_form(module: nn.Module, rows: Tensor, state: Any, readout: Callable[[Any], Any] | None) -> Form:
    """The form of a module, as it is found by calling it.

    Args:
        rows: x of one step.
        state, readout: of `measure_module`.

    Raises:
        InputError: for a module that does not take and return a state.
    """
    if isinstance(module, nn.RNNBase):
        way = f"None for {type(module).__name__} of torch: its first state is 0"
        require(state is None, "state", way, type(state).__name__)
        return _form_of_torch(module, rows)
    call, outcome = _find_call(module, rows, state)

    def step(parameters: Mapping[str, Tensor], state: Any, inputs: Tensor) -> Any:
        after = call(parameters, inputs, state)
        return after[1] if outcome.is_pair else after

    return Form(step, outcome.state, _part_for_readout(call, outcome, readout))


def _form_of_torch(module: nn.RNNBase, rows: Tensor) -> Form:
    """The form of a module of `torch.nn`, whose state is h and, of an LSTM, c, each (sequence, layer, unit)."""
    forward = "False: the state of the other direction knows the future, so that no lag has a gradient of its own"
    require(not module.bidirectional, "module.bidirectional", forward, module.bidirectional)
    has_memory, time = isinstance(module, nn.LSTM), 1 if module.batch_first else 0
    units = [module.proj_size or module.hidden_size, *([module.hidden_size] if has_memory else [])]
    example = tuple(rows.new_zeros(len(rows), module.num_layers, size) for size in units)

    def step(parameters: Mapping[str, Tensor], state: Any, inputs: Tensor) -> Any:
        layers = tuple(tensor.transpose(0, 1).contiguous() for tensor in state)
        argument = layers if has_memory else layers[0]
        _, after = functional_call(module, dict(parameters), (inputs.unsqueeze(time), argument))
        return tuple(tensor.transpose(0, 1) for tensor in (after if has_memory else (after,)))

    return Form(step, example, lambda state: state[0][:, -1])


# The call


def _find_call(module: nn.Module, rows: Tensor, state: Any) -> tuple[Call, Outcome]:
    """A call of a module for a step, and what it gives; `InputError` if no call gives a state."""
    try:
        call = Call(module)
        return call, _single_step_outcome(call, rows, state)
    except Refused as error:
        of_step = error
    try:
        return _whole_sequence_outcome(module, rows, state)
    except Stateless as alone:
        raise InputError(
            "'module' must return its next state with its outputs, `return outputs, state`, and take that state "
            "as its second argument; otherwise give a module whose `forward(x, state)` makes one step of it"
            f"{_hint_of_first_state(state, alone)}{_hint_of_recurrent_part(module)}. Got outputs alone, {alone}."
        ) from alone
    except Refused as of_sequences:
        is_failed = isinstance(of_step, Failed) and isinstance(of_sequences, Failed)  # of another cause
        ways = _hint_of_first_state(state, of_step) + ("" if is_failed else _hint_of_recurrent_part(module))
        again = "" if str(of_step) == str(of_sequences) else f"; {of_sequences},"
        raise InputError(
            "'module' must take x and its state, and give its next state, or a pair of output and next state "
            f"(`state`: {STATE_FORM}){ways}. "
            f"Got {of_step}, for x (sequence, input) of shape {tuple(rows.shape)}{again or ' and'} "
            f"for x (sequence, time, input) of shape {(len(rows), 1, *rows.shape[1:])}."
        ) from of_sequences


def _single_step_outcome(call: Call, rows: Tensor, state: Any) -> Outcome:
    """Outcome of a module for x (sequence, input); `Refused` if it is no state."""
    start, first = _first_call(call, rows, state)
    outcomes = [
        outcome
        for outcome in _possible_outcomes(first, len(rows))
        if (_takes_back(call, rows, outcome) if state is None else has_same_form(outcome.state, start[0]))
    ]
    if len(outcomes) != 1:
        reason = AMBIGUOUS if outcomes else NO_STATE + _say_flaw(first, len(rows))
        raise Refused(f"{describe(first)} of {len(rows)} sequences, which {reason}")
    # what has as many rows as there are sequences may be the layers of a module that takes x for one sequence
    more = repeat_rows(rows, len(rows) + 1)
    _, again = _first_call(call, more, state)
    if not any(outcome.is_pair == outcomes[0].is_pair for outcome in _possible_outcomes(again, len(more))):
        raise Refused(f"{describe(again)} of {len(more)} sequences, which {NO_STATE}")
    return outcomes[0]


def _whole_sequence_outcome(module: nn.Module, rows: Tensor, state: Any) -> tuple[Call, Outcome]:
    """A call of a module on sequences of one step, and what it gives; `Refused` if that is no state."""
    call = Call(module, of_sequences=True)
    weights = call.weights
    start, _ = _first_call(call, rows, state)
    (_, few), (_, more) = (
        call.over_time(weights, batch.unsqueeze(1), *_first_call(call, batch, state)[0])
        for batch in (rows, repeat_rows(rows, len(rows) + 1))
    )
    axes = [_axis_of_sequences(*pair) for pair in zip(tensors_of(few), tensors_of(more), strict=False)]
    if any(axis is None for axis in axes):
        raise Refused(
            f"a state, {describe(few)} of {len(rows)} sequences, in which some tensor has no axis of sequences "
            "(batch_first=True, if time came first)"
        )
    call = replace(call, axes=[axis for axis in axes if axis is not None])
    outcome = Outcome(True, *call(weights, rows, *start))
    if not _takes_back(call, rows, outcome):
        raise Refused(f"a state, {describe(few)} of {len(rows)} sequences, that it does not take back")
    later = rows.flip(0)
    for before, after in ((start, outcome.state), ((outcome.state,), call(weights, rows, outcome.state)[1])):
        try:
            _, together = call.over_time(weights, torch.stack([rows, later], 1), *before)
            _, apart = call.over_time(weights, later.unsqueeze(1), after)
        except Exception as error:
            raise Refused(f"of two steps {in_one_line(error)}") from error
        if not has_same_form(together, apart) or not all(map(almost_equal, tensors_of(together), tensors_of(apart))):
            raise Refused(
                "another state from two steps in one call than from two calls of one step, as where a layer looks "
                "ahead or the state leaves something out"
            )
    return call, outcome


def _first_call(call: Call, rows: Tensor, state: Any) -> tuple[tuple[Any, ...], Any]:
    """The first state as an argument, if there is one, and what a module gives with it; `Refused` if it fails."""
    starts: list[tuple[Any, ...]] = [(), (None,)] if state is None else [(zeros_like(repeat(state, len(rows))),)]
    reason = ""
    for start in starts:
        try:
            return start, call(call.weights, rows, *start)
        except Refused:
            raise
        except Exception as error:
            reason = in_one_line(error)
    raise Failed(reason)


def _possible_outcomes(outcome: Any, count: int) -> list[Outcome]:
    """Possible meanings of an outcome for `count` sequences: a state alone and, of a pair, an output and a state."""
    pair = [Outcome(True, outcome[0], outcome[1])] if isinstance(outcome, (tuple, list)) and len(outcome) == 2 else []
    return [candidate for candidate in [Outcome(False, None, outcome), *pair] if is_state(candidate.state, count)]


def _takes_back(call: Call, rows: Tensor, outcome: Outcome) -> bool:
    """True if a module takes a state that it gave, and gives a state of the same form again."""
    try:
        after = _possible_outcomes(call(call.weights, rows, outcome.state), len(rows))
    except Exception:
        return False
    return any(again.is_pair == outcome.is_pair and has_same_form(again.state, outcome.state) for again in after)


def _axis_of_sequences(few: Tensor, more: Tensor) -> int | None:
    """The one axis that grows with the number of sequences, if there is just one."""
    axes = [
        axis for axis, (size, next_size) in enumerate(zip(few.shape, more.shape, strict=False)) if size != next_size
    ]
    return axes[0] if len(axes) == 1 else None


def _hint_of_recurrent_part(module: nn.Module) -> str:
    """Hint for a module that contains one of torch's and does not return its state."""
    kinds = (nn.RNNBase, nn.RNNCellBase)
    names = [name for name, part in module.named_modules() if name and isinstance(part, kinds)]
    return f"; or measure its recurrent part, module.{names[0]}, and give the rest as `readout`" if names else ""


def _hint_of_first_state(state: Any, refusal: Refused) -> str:
    """Hint for a module that does not take None for a state, or the form of the state that it was given."""
    if state is not None:
        return f"; `state` is given as {describe(state)}"
    is_missing = isinstance(refusal, Failed) and "NoneType" in str(refusal)
    return "; if it does not take None for its first state, give one as `state`, torch.zeros(1, 5), say" * is_missing


def _say_flaw(outcome: Any, count: int) -> str:
    """What keeps the second of a pair, or else an outcome, from being a state, if one of its parts does."""
    is_pair = isinstance(outcome, (tuple, list)) and len(outcome) == 2
    flaw = find_flaw(outcome[1] if is_pair else outcome, count)
    return f", since {flaw} has no axis of {count} sequences in front" if flaw else ""


# What the readout takes


def _part_for_readout(call: Call, outcome: Outcome, readout: Callable[[Any], Any] | None) -> Callable[[Any], Any]:
    """What a readout takes of a state: the module's output, if it is in the state, else the state's first part."""
    tensors = list(enumerate(tensors_of(outcome.state)))
    places = [place for place, tensor in tensors if _equal(tensor, outcome.output)]
    if places:
        return lambda state: tensors_of(state)[places[0]]
    layers = [place for place, tensor in tensors if tensor.ndim == 3 and _equal(tensor[:, -1], outcome.output)]
    if layers and call.of_sequences:
        return lambda state: tensors_of(state)[layers[0]][:, -1]
    if outcome.is_pair and readout is None:
        raise InputError(
            "'readout' must be given for this module, whose output is not one of its state's tensors: a function of "
            "the state (of its first tensor, if the state is a tuple), such as the module's last layer. Got None."
        )
    if call.of_sequences and call.axes[0] == 1 and _takes_each_layer(readout, _first(outcome.state)):
        return lambda state: _first(state)[:, -1]
    return _first


def _first(state: Any) -> Any:
    """The state, or the first part of a tuple."""
    return state[0] if isinstance(state, (tuple, list)) else state


def _equal(tensor: Tensor, candidate: Any) -> bool:
    return isinstance(candidate, Tensor) and tensor.shape == candidate.shape and torch.equal(tensor, candidate)


def _takes_each_layer(readout: Callable[[Any], Any] | None, state: Any) -> bool:
    """True if a readout takes each layer on its own, as `torch.nn.Linear` does: (sequence, layer, unit) to outputs."""
    if readout is None or not isinstance(state, Tensor) or state.ndim != 3:
        return False
    try:
        outputs = readout(state)
    except Exception:  # which is said where the readout is checked
        return False
    return isinstance(outputs, Tensor) and outputs.ndim == 3 and outputs.shape[:2] == state.shape[:2]
