"""Trials of a user's functions at the model's own states, before anything is measured.

Each function must give the same twice, must take each sequence on its own, and must be differentiable.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells import Linearization
from learnability.cells.automatic import FEW
from learnability.core.errors import InputError, in_one_line, require
from learnability.core.streams import numpy_generator
from learnability.measurement.cell import FunctionCell
from learnability.measurement.functions import TOLERANCE, almost_equal
from learnability.measurement.network import FunctionNetwork
from learnability.measurement.row_maps import RowMap
from learnability.networks.losses import LOSSES

ROUNDING = 1e-12
"""Share of the largest target that counts as an error of 0."""


class Run(NamedTuple):
    """States of a run in which all functions were checked.

    Args:
        few: s_0 to s_{T-1} of a few sequences.
        last: s_{T-2} (if T > 2) and s_{T-1} of all sequences.
    """

    few: list[Float[Tensor, "few state"]]
    last: list[Float[Tensor, "sequence state"]]


def try_run(network: FunctionNetwork, x: Tensor, y: Tensor, mask: Tensor | None, least_lag: int) -> Run:
    """Run the model once, with every function checked at every step.

    Raises:
        InputError: for functions that are not maps of single sequences, and for errors that are all 0 after the
            smallest lag.
    """
    few: list[Tensor] = []
    last: list[Tensor] = []
    has_error = False
    for t, (state, predictions) in enumerate(_steps(network, x), 1):
        few.append(state[:FEW].clone())  # a view would keep all of it
        last = [*last[-1:], state] if t > 2 else [state]
        counts = slice(None) if mask is None else mask[:, t - 1]
        if t > least_lag:
            has_error |= _has_error(network.loss, predictions[counts], y[counts, t - 1])
    if not has_error:
        raise InputError(f"'targets' must differ from predictions. Got errors that are 0 at all t > {least_lag}.")
    return Run(few, last)


def _steps(network: FunctionNetwork, x: Tensor) -> Iterator[tuple[Tensor, Tensor]]:
    """s_{t-1} and ŷ_t at t = 1, …, T, from functions that are checked."""
    cell = network.cell
    weights, size = cell.place.take(cell.parameters), cell.state_size
    diagonals = {"retention": cell.retention, "diagonal": None if cell.formulas else cell.diagonal}
    optional = [RowMap(name, f, cell.place, size, weights) for name, f in diagonals.items() if f is not None]
    step = RowMap("step", cell.function, cell.place, size, weights)
    readout = RowMap("readout", network.readout, cell.place, network.outputs)
    state = x.new_zeros(len(x), size)
    for t, x_t in enumerate(x.unbind(1), 1):
        before = {"state": state, "input": x_t}
        for diagonal in optional:
            diagonal(before, t)
        after = step(before, t)
        yield state, readout({"state": after}, t)
        state = after


def _has_error(loss: str, predictions: Tensor, targets: Tensor) -> bool:
    """True if some prediction is off by more than rounding."""
    if not len(targets):
        return False
    error = LOSSES[loss].gradient(predictions, targets).abs().max()
    return bool(error > ROUNDING * (1 if loss == "cross_entropy" else targets.abs().max()))


def check_derivatives(network: FunctionNetwork, x: Tensor, states: Sequence[Tensor], probe: str) -> None:
    """Raise `InputError` unless derivatives of s and ŷ at the last states are finite and not all 0.

    Two steps are tried together: a truncation may cut the gradient off at one of them, and that is to be measured.

    Args:
        states: of `Run.last`.
        probe: of the reading.
    """
    cell, few = network.cell, slice(0, FEW * FEW)
    theta, state = cell.parameters, torch.cat([at_step[few] for at_step in states])
    inputs = torch.cat([x[few, -back] for back in range(len(states), 0, -1)])
    steps, covector = cell.linearize(theta, state, inputs), _draw("covector", *state.shape)
    with torch.no_grad():
        after = cell.step(theta, state, inputs)
    if cell.diagonal is not None:
        _check_formulas(cell, steps, replace(cell, diagonal=None).linearize(theta, state, inputs), covector)
    signal = _draw("signal", len(after), network.outputs) if network.outputs else None
    derivatives: dict[str, tuple[str, Callable[[], Tensor]]] = {
        "its state": ("step", lambda: steps.pull_back(covector)),
        "its parameters (torch.func.functional_call)": (
            "step",
            lambda: torch.cat([tensor.flatten() for tensor in steps.gradient(covector).values()]),
        ),
        "the state": ("readout", lambda: network.readout_gradient(theta, after, signal)),
    }
    if probe == "random":
        w = {name: torch.ones_like(tensor) for name, tensor in theta.items()}
        derivatives["directions of its parameters"] = "step", lambda: 1 + steps.along_parameters(w).square()
    for of, (name, derivative) in derivatives.items():
        try:
            values = derivative()
        except (Exception, SystemExit) as error:
            hint = _gradient_hint(error)
            raise InputError(
                f"'{name}' must be differentiable by torch.autograd.grad{hint}. Got {in_one_line(error)}"
            ) from error
        if not torch.isfinite(values).all() or not values.any():
            kind = "0" if torch.isfinite(values).all() else "not finite"
            hint = " (not detached, left out or saturated)" if kind == "0" and of == "its state" else ""
            raise InputError(f"'{name}' must be differentiable in {of}{hint}. Got a derivative that is {kind}.")


def _check_formulas(cell: FunctionCell, steps: Linearization, automatic: Linearization, covector: Tensor) -> None:
    """Raise `InputError` unless a step has the same derivatives by formula and by automatic differentiation."""
    actual, expected = steps.diagonals(), automatic.diagonals()
    agree = almost_equal(actual.retention + actual.mixing, expected.retention + expected.mixing)
    if cell.formulas:
        agree = agree and almost_equal(steps.pull_back(covector), automatic.pull_back(covector))
        way = "torch's own, which no hook or patch changes (diagonal=None measures it as it is)"
        require(agree, "step of the module", way, "other derivatives")
    require(agree, "diagonal", "the diagonal of the Jacobian of step", "another")


def check_steps_apart(cell: FunctionCell, x: Tensor, states: Sequence[Float[Tensor, "few state"]]) -> None:
    """Raise `InputError` if the derivative of a step depends on which other steps are differentiated with it.

    Args:
        states: of `Run.few`.
    """
    if cell.formulas:
        return
    rows, after_first = len(states[0]), states[1:]  # nothing goes back through the first step to s_0
    state, inputs = torch.cat([*after_first]), x[:rows, 1:].transpose(0, 1).flatten(0, 1)
    covector = _draw("covector", *state.shape)

    def pull_back(s: Tensor, inputs: Tensor, v: Tensor) -> Tensor:
        return cell.linearize(cell.parameters, s, inputs).pull_back(v)

    together = pull_back(state, inputs, covector)
    parts = zip(*(tensor.split(rows) for tensor in (state, inputs, covector)), strict=True)
    apart = torch.cat([pull_back(*part) for part in parts])
    differs = ((together - apart).abs() > TOLERANCE * apart.abs().max()).view(len(after_first), -1).any(1)
    if differs.any():
        raise InputError(
            "'step' must treat each row on its own, for rows of several steps are differentiated together (what one "
            "row decides, as a counter that `.item()` reads, holds for all of them: torch.where decides by row). Got "
            f"another derivative at t = {2 + int(differs.int().argmax())}."
        )


def _draw(name: str, *shape: int) -> Tensor:
    """Random numbers to try a derivative with."""
    return torch.from_numpy(numpy_generator(0, 0, name).standard_normal(shape))


def _gradient_hint(error: BaseException) -> str:
    """Hint for a gradient that torch cannot take, from its error message."""
    message = str(error)
    if "modified by an inplace operation" in message:
        return " (a tensor is changed in place after its use: clone it before)"
    if "second time" in message:
        return " (what a module keeps from call to call belongs in the state)"
    if "numpy()" in message:
        return " (NumPy hides it: torch.autograd.Function can say what its gradient is)"
    return ""
