"""Measure a recurrent model of your own: any step `(parameters, state, input) -> state` that torch can differentiate.

Its step is linearised by automatic differentiation; from there everything is what the workflow does. States are float64
vectors: put what your cell keeps (h and c, say) side by side in one. Weights may require a gradient; results never do.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from numbers import Integral

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float
from numpy.typing import ArrayLike
from torch import Tensor
from torch.func import vjp

from learnability.cells import Cell, Parameters
from learnability.core.errors import InputError, in_one_line, require
from learnability.measured import Measured
from learnability.networks.frozen import Frozen
from learnability.networks.network import Network
from learnability.transport import (
    TorchEngine,
    check_lags,
    effective_learning_rates,
    envelope_table,
    exact_table,
    exact_transport,
)
from learnability.windows.readings import Reading, StatisticOptions
from learnability.windows.request import Request, direction
from learnability.windows.statistic import matched_statistics
from learnability.windows.windowing import TRANSPORTS, estimate_window

OWN_GRADIENT = Reading(StatisticOptions(probe="own_gradient", directions=1))
"""Each lag along its own gradient, in the noise of the whole: what an optimiser of N sequences can see."""
FEWEST_DRAWS = 20
"""What a stable fit needs."""
TOLERANCE = 1e-5
"""Share of the largest entry by which outcomes may differ that should not: rounding, also that of float32 inside."""
ROUNDING = 1e-12
"""Share of the largest target that counts as an error of 0."""

Step = Callable[[Parameters, Tensor, Tensor], Tensor]
"""s_t from θ, s_{t-1} (sequence, state) and x_t (sequence, input), each row on its own."""
Retention = Callable[[Parameters, Tensor, Tensor], Tensor]
"""a_t (sequence, state), from the same arguments."""
Readout = Callable[[Tensor], Tensor]
"""ŷ_t (sequence,) from s_t (sequence, state), each row on its own."""


@torch.no_grad()
def measure_model(
    step: Step,
    parameters: Mapping[str, ArrayLike],
    readout: Readout,
    inputs: ArrayLike,
    targets: ArrayLike,
    *,
    state_size: int,
    lags: ArrayLike,
    retention: Retention | None = None,
    reading: Reading = OWN_GRADIENT,
    root_seed: int = 0,
) -> Measured:
    """Effective learning rates, exact transport, stable fits, N̂(ℓ) and Ĥ_N of a frozen recurrent model.

    Args:
        step: s_t from (θ, s_{t-1}, x_t), differentiable; s_0 = 0. Like `readout` and `retention` it takes float64, each
            sequence on its own and without chance, as a module does after `.double().eval()`.
        parameters: θ by name, of the cell alone; arrays or tensors, as inputs and targets.
        readout: ŷ_t from s_t, differentiable; the error is (ŷ_t - y_t)².
        inputs: fresh sequences, (sequence, time, input).
        targets: y_t, (sequence, time).
        state_size: numbers in a state.
        lags: ℓ, steps, increasing, below the number of steps.
        retention: what of the diagonal of J_t counts as retention a_t (1 - z_t of a GRU, say); the rest is then d_t.
            Without it the whole diagonal is a_t.
        reading: what is held against what, the law of the noise and what counts as detected; transport is taken both
            ways, whatever it says, and without a base rate; the number of sequences joins its grid of N.
        root_seed: names the random streams of directions, resamples and the windows of exact transport.

    Raises:
        InputError: before the work, for arrays, lags or settings that do not fit, fewer than 20 draws at the largest
            lag (sequences or, of a reading that pools them, pairs of a sequence and t); a `step`, `readout` or
            `retention` that fails, gives anything but one finite float64 tensor of the right shape, is random or mixes
            sequences; a step that ignores its state or its parameters, a readout without a gradient, or errors that
            are all 0.
    """
    require(isinstance(state_size, Integral) and state_size > 0, "state_size", "a positive integer", state_size)
    grid = _grid(lags)
    x, y = _numbers("inputs", inputs), _numbers("targets", targets)
    require(x.ndim == 3, "inputs", "of shape (sequence, time, input)", tuple(x.shape))
    require(len(x) >= 2, "inputs", "of two sequences at least, for what differs between them is the noise", len(x))
    require(y.shape == x.shape[:2], "targets", f"of shape {tuple(x.shape[:2])}", tuple(y.shape))
    check_lags(grid, x.shape[1] - 1)
    options = replace(reading.statistic, base_rate=False)
    sizes = sorted({*reading.detection.sample_sizes, len(x)})
    detection = replace(reading.detection, sample_sizes=sizes)
    times = sum(t > grid[-1] for t in Request(options, grid).times(x.shape[1]))
    draws = len(x) * (times if options.sampling == "pooled" else 1)
    draw = "pairs of a sequence and t" if options.sampling == "pooled" else "sequences"
    require(draws >= FEWEST_DRAWS, "inputs", f"of {FEWEST_DRAWS} {draw} at the largest lag at least", draws)
    named = isinstance(parameters, Mapping) and len(parameters) > 0
    require(named, "parameters", "one or more by name, dict(cell.named_parameters()), say", parameters)
    theta = {name: _numbers(name, parameter) for name, parameter in parameters.items()}
    cell = FunctionCell(x.shape[-1], state_size, step, retention, theta)
    network = FunctionNetwork(cell, readout=readout)
    _check_derivatives(network, theta, x, _checked_run(network, theta, x, y, grid[0]), root_seed)
    rates = effective_learning_rates(network, theta, x, grid, TorchEngine())
    exact = exact_transport(network, theta, x, grid, root_seed)
    requests = [Request(replace(options, transport=transport), grid) for transport in TRANSPORTS]
    statistics = matched_statistics(Frozen(network, theta, x, y), requests, 1.0, root_seed, TorchEngine())
    tables: dict[str, list[pd.DataFrame]] = {"noise": [], "sample_complexity": [], "window": []}
    for request, statistic in zip(requests, statistics, strict=True):
        for noise in ("total", "matched") if options.noise == "total" else ("matched",):
            given = statistic if noise == "total" else statistic.drop_vars("total", errors="ignore")
            own = replace(reading, statistic=replace(request.options, noise=noise), detection=detection)
            for name, table in estimate_window(given, own, root_seed, 0).items():
                tables[name].append(table.assign(transport=request.options.transport, noise=noise))
    joined = {name: pd.concat(parts, ignore_index=True) for name, parts in tables.items()}
    return Measured(envelope_table(rates), exact_table(exact), **joined)


def _grid(lags: ArrayLike) -> list[int]:
    """Lags as integers; a float that equals one is none."""
    grid = np.asarray(lags)
    require(grid.ndim == 1 and grid.dtype.kind in "iu", "lags", "a list of integers", lags)
    return grid.tolist()


def _numbers(name: str, given: ArrayLike) -> Float[Tensor, "..."]:
    """An array or a tensor as float64."""
    try:
        tensor = given.detach() if isinstance(given, Tensor) else torch.from_numpy(np.array(given))
    except (TypeError, ValueError) as error:
        raise InputError(f"'{name}' must be an array of numbers. Got {type(given).__name__}: {error}") from error
    require(not tensor.is_complex() and tensor.dtype != torch.bool, name, "real numbers", tensor.dtype)
    require(bool(torch.isfinite(tensor).all()), name, "finite", "numbers that are not")
    return tensor.double().cpu()


def _checked_run(
    network: "FunctionNetwork", theta: Parameters, x: Tensor, y: Tensor, least_lag: int
) -> Float[Tensor, "sequence state"]:
    """s_T, or `InputError` for functions that are not maps of single sequences, and for errors that are all 0."""
    cell, sequences = network.cell, len(x)
    state, wrong = x.new_zeros(sequences, cell.state_size), False
    for t in range(1, x.shape[1] + 1):
        before = {"state": state, "input": x[:, t - 1]}
        if cell.retention is not None:
            _apply("retention", partial(cell.retention, theta), before, state.shape, t)
        state = _apply("step", partial(cell.function, theta), before, state.shape, t)
        predicted = _apply("readout", network.readout, {"state": state}, state.shape[:1], t)
        target = y[:, t - 1]
        wrong |= t > least_lag and bool((predicted - target).abs().max() > ROUNDING * target.abs().max())
    if not wrong:
        raise InputError(f"'targets' must differ from predictions. Got errors that are 0 at all t > {least_lag}.")
    return state


def _apply(
    name: str, function: Callable[..., object], rows: Mapping[str, Tensor], shape: Sequence[int], t: int
) -> Tensor:
    """What a function makes of rows, or `InputError` unless one finite tensor, always the same, whatever other rows."""

    def apply(some: slice) -> Tensor:
        given = {label: tensor[some] for label, tensor in rows.items()}
        outcome = _call(name, function, given)
        if not isinstance(outcome, Tensor):
            kind = type(outcome).__name__
            raise InputError(f"'{name}' must give one tensor (torch.cat joins several into one state). Got a {kind}.")
        expected = len(given["state"]), *shape[1:]
        axes = "(sequence, state_size)" if shape[1:] else "(sequence,)"
        require(tuple(outcome.shape) == expected, name, f"a map to {axes} = {expected}", tuple(outcome.shape))
        require(outcome.dtype == torch.float64, name, "a map to float64 (module.double())", outcome.dtype)
        if not torch.isfinite(outcome).all():
            raise InputError(f"'{name}' must give finite numbers. Got others at t = {t}.")
        return outcome

    everything, even, odd = slice(None), slice(0, None, 2), slice(1, None, 2)
    outcome = apply(everything)
    if not _same(outcome, apply(everything)):
        raise InputError(f"'{name}' must give the same twice (module.eval() ends dropout). Got another at t = {t}.")
    if not (_same(outcome[even], apply(even)) and _same(outcome[odd], apply(odd))):
        raise InputError(
            f"'{name}' must take each sequence on its own (module.eval() ends batch statistics). "
            f"Got others without every second sequence, at t = {t}."
        )
    return outcome


def _call(name: str, function: Callable[..., object], rows: Mapping[str, Tensor]) -> object:
    try:
        return function(*rows.values())
    except Exception as error:
        took = ", ".join(f"{label} {tuple(tensor.shape)}" for label, tensor in rows.items())
        raise InputError(f"'{name}' must take float64 {took}. Got {in_one_line(error)}") from error


def _same(one: Tensor, other: Tensor) -> bool:
    return bool((one - other).abs().max() <= TOLERANCE * one.abs().max())


def _check_derivatives(network: "FunctionNetwork", theta: Parameters, x: Tensor, state: Tensor, root_seed: int) -> None:
    """Raise `InputError` unless s and ŷ have finite derivatives at the last states, not all of them 0."""
    cell = network.cell
    steps, w = cell.linearize(theta, state, x[:, -1]), direction(cell, root_seed)
    derivatives: dict[str, tuple[str, Callable[[], Tensor]]] = {
        "its state": ("step", lambda: steps.split().whole),
        "its parameters (torch.func.functional_call)": ("step", lambda: steps.along_parameters(w)),
        "the state": ("readout", lambda: network.readout_gradient(theta, state)),
    }
    for of, (name, derivative) in derivatives.items():
        try:
            values = derivative()
        except Exception as error:
            raise InputError(f"'{name}' must be differentiable by torch.func. Got {in_one_line(error)}") from error
        if not torch.isfinite(values).all() or not values.any():
            kind = "0" if torch.isfinite(values).all() else "not finite"
            raise InputError(f"'{name}' must be differentiable in {of}. Got a derivative that is {kind}.")


@dataclass(frozen=True)
class FunctionCell(Cell):
    """A cell given as a function; the whole state counts as hidden units."""

    function: Step
    retention: Retention | None
    parameters: Parameters

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        return self.parameters

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        return self.function(parameters, state, inputs)

    def retained(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor | None:
        return None if self.retention is None else self.retention(parameters, state, inputs)


@dataclass(frozen=True)
class FunctionNetwork(Network):
    """A cell with a readout given as a function."""

    cell: FunctionCell
    readout: Readout = field(kw_only=True)

    def predict(self, parameters: Parameters, states: Tensor) -> Tensor:
        return self.readout(states.reshape(-1, states.shape[-1])).view(states.shape[:-1])

    def readout_gradient(self, parameters: Parameters, states: Tensor, signal: Tensor | None = None) -> Tensor:
        predicted, back = vjp(self.readout, states.reshape(-1, states.shape[-1]))[:2]
        return back(torch.ones_like(predicted) if signal is None else signal.flatten())[0].view(states.shape)
