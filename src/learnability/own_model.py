"""Measure a recurrent model of your own: any step `(parameters, state, input) -> state` that torch can differentiate.

Its step is linearised by automatic differentiation; from there everything is what the workflow does. States are float64
vectors: put what your cell keeps (h and c, say) side by side in one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import pandas as pd
import torch
from jaxtyping import Float
from torch import Tensor
from torch.func import jacrev, jvp, vjp, vmap

from learnability.cells import Cell, Diagonals, JacobianSplit, Linearization, Parameters
from learnability.detection import learnability_window, sample_need
from learnability.errors import InputError, require
from learnability.frozen import Frozen
from learnability.network import Network
from learnability.noise import fit_noise
from learnability.readings import DetectionOptions, NoiseOptions, StatisticOptions
from learnability.statistic import matched_statistic
from learnability.transport import (
    TorchEngine,
    check_lags,
    effective_learning_rates,
    envelope_table,
    exact_table,
    exact_transport,
)

Step = Callable[[Parameters, Tensor, Tensor], Tensor]
"""s_t from θ, s_{t-1} (sequence, state) and x_t (sequence, input), each row on its own."""
Retention = Callable[[Parameters, Tensor, Tensor], Tensor]
"""a_t (sequence, state), from the same arguments."""
Readout = Callable[[Tensor], Tensor]
"""ŷ_t (sequence,) from s_t (sequence, state)."""


class Measured(NamedTuple):
    """What `measure` finds; tables are tidy.

    Args:
        envelope: f̂(ℓ), mean rate and quantiles over state units, first order, base rate 1.
        exact: exact beside first-order transport at each lag (`exact_table`).
        noise: signal Δ̂, α̂ and σ̂ at each lag; `need`: N̂(ℓ); `window`: Ĥ_N. Each for both kinds of `transport`, and the
            latter two by every criterion.
    """

    envelope: pd.DataFrame
    exact: pd.DataFrame
    noise: pd.DataFrame
    need: pd.DataFrame
    window: pd.DataFrame


def measure(
    step: Step,
    parameters: Mapping[str, Tensor],
    readout: Readout,
    inputs: Tensor,
    targets: Tensor,
    *,
    state_size: int,
    lags: Sequence[int],
    sample_sizes: Sequence[int] = (25, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12800),
    retention: Retention | None = None,
    error_level: float = 0.1,
    snr_threshold: float = 0.1,
    numerical_floor: float = 0.0,
    time_stride: int = 1,
    study: int = 0,
) -> Measured:
    """Effective learning rates, exact transport, stable fits, N̂(ℓ) and Ĥ_N of a frozen recurrent model.

    Args:
        step: s_t from (θ, s_{t-1}, x_t), differentiable, each sequence on its own; s_0 = 0.
        parameters: θ by name, of the cell alone.
        readout: ŷ_t from s_t, differentiable; the error is (ŷ_t - y_t)².
        inputs: fresh sequences, (sequence, time, input).
        targets: y_t, (sequence, time).
        state_size: numbers in a state.
        lags: ℓ, steps, increasing, below the number of steps.
        retention: what of the diagonal of J_t counts as retention a_t (1 - z_t of a GRU, say); the rest is then d_t.
            Without it the whole diagonal is a_t.
        sample_sizes: grid of N, sequences.
        error_level, snr_threshold, numerical_floor, time_stride: as in the workflow's configuration.
        study: names the random streams of w and of the windows of exact transport.

    S is as the text has it, but for one sign for all units and no base rate: immediate parameter Jacobian, pooled.

    Raises:
        InputError: for shapes that do not fit, numbers that are not finite, a step that ignores its state or its
            parameters, or a readout without a gradient.
    """
    for name, value in (("inputs", inputs), ("targets", targets)):
        require(bool(torch.isfinite(value).all()), name, "finite", "numbers that are not")
    theta = {name: parameter.detach().double() for name, parameter in parameters.items()}
    x, y = inputs.double(), targets.double()
    require(x.ndim == 3 and len(x) > 0, "inputs", "of shape (sequence, time, input)", tuple(inputs.shape))
    require(y.shape == x.shape[:2], "targets", f"of shape {tuple(x.shape[:2])}", tuple(targets.shape))
    check_lags(lags, x.shape[1] - 1)
    cell = FunctionCell(x.shape[-1], state_size, step, retention, theta)
    network = FunctionNetwork(cell, readout=readout)
    _check(cell, network, theta, x, y)
    rates = effective_learning_rates(network, theta, x, lags, TorchEngine())
    exact = exact_transport(network, theta, x, lags, study)
    frozen = Frozen(network, theta, x, y)
    detection = DetectionOptions("fano", "mean", "mean", 0, error_level, snr_threshold, 100, sample_sizes)
    tables: dict[str, list[pd.DataFrame]] = {"noise": [], "need": [], "window": []}
    for transport in ("first_order", "exact"):
        options = _options(transport, time_stride)
        statistic = matched_statistic(frozen, lags, 1.0, study, options, TorchEngine()).isel(direction=0)
        noise = fit_noise(statistic, NoiseOptions("mcculloch", "per_lag", numerical_floor))
        need = sample_need(noise, detection)
        found = {"noise": noise, "need": need, "window": learnability_window(need, detection)}
        for name, table in found.items():
            tables[name].append(table.assign(transport=transport))
    joined = {name: pd.concat(parts, ignore_index=True) for name, parts in tables.items()}
    return Measured(envelope_table(rates), exact_table(exact), **joined)


def _options(transport: str, time_stride: int) -> StatisticOptions:
    """The text's reading, but for one sign for all units and no base rate."""
    return StatisticOptions(
        transport=transport,
        parameter_jacobian="immediate",
        orientation="global",
        sign_estimate="in_sample",
        sampling="pooled",
        base_rate=False,
        error_signal="gradient",
        error_mean="kept",
        noise="matched",
        directions=1,
        gru_rates="strict",
        time_stride=time_stride,
    )


def _check(cell: "FunctionCell", network: "FunctionNetwork", theta: Parameters, x: Tensor, y: Tensor) -> None:
    """Raise `InputError` for what cannot be measured."""
    state = x.new_zeros(len(x), cell.state_size)
    for t in range(x.shape[1]):
        after = _call("step", cell.step, theta, state, x[:, t])
        require(
            after.shape == state.shape, "step", f"a map to states of shape {tuple(state.shape)}", tuple(after.shape)
        )
        if not torch.isfinite(after).all():
            raise InputError(f"'step' must give finite states. Got one that is not at t = {t + 1}.")
        state = after
    predicted = _call("readout", network.readout, state)
    require(predicted.shape == state.shape[:1], "readout", f"of shape {tuple(state.shape[:1])}", tuple(predicted.shape))
    if cell.retention is not None:
        shape = tuple(cell.retention(theta, state, x[:, -1]).shape)
        require(shape == tuple(state.shape), "retention", f"of shape {tuple(state.shape)}", shape)
    if not cell.linearize(theta, state, x[:, -1]).split().whole.any():
        raise InputError("'step' must depend on its state. Got a one-step Jacobian that is 0.")
    ones = {name: torch.ones_like(parameter) for name, parameter in theta.items()}
    if not cell.linearize(theta, state, x[:, -1]).along_parameters(ones).any():
        raise InputError("'step' must use the parameters that it is given. Got one whose gradient in them is 0.")
    if not network.error_signal(theta, state, y[:, -1]).any():
        raise InputError("'readout' must be differentiable. Got one whose gradient is 0.")


def _call(name: str, function: Callable[..., Tensor], *arguments: object) -> Tensor:
    try:
        return function(*arguments)
    except (RuntimeError, ValueError) as error:
        took = ", ".join(str(tuple(each.shape)) for each in arguments if isinstance(each, Tensor))
        raise InputError(f"'{name}' must take float64 tensors of shapes {took}. Got {error}") from error


@dataclass(frozen=True)
class FunctionCell(Cell):
    """A cell given as a function; the whole state counts as hidden units."""

    function: Step
    retention: Retention | None
    parameters: Parameters

    def initial_parameters(self, study: int, seed: int) -> Parameters:
        return self.parameters

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        return self.function(parameters, state, inputs)

    def gate(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        """1 - a_t: what retention does not keep."""
        return 1 - self.linearize(parameters, state, inputs).diagonals().retention

    def linearize(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> "FunctionLinearization":
        return FunctionLinearization(self, parameters, state, inputs)


@dataclass(frozen=True)
class FunctionLinearization(Linearization):
    """By automatic differentiation, at points over any leading dimensions."""

    cell: FunctionCell
    parameters: Parameters
    state: Float[Tensor, "... state"]
    inputs: Float[Tensor, "... input"]

    def split(self) -> JacobianSplit:
        jacobian = self._jacobian()
        retention = torch.diag_embed(self._retention(jacobian))
        return JacobianSplit(retention, jacobian - retention)

    def diagonals(self) -> Diagonals:
        jacobian = self._jacobian()
        retention = self._retention(jacobian)
        return Diagonals(retention, jacobian.diagonal(dim1=-2, dim2=-1) - retention)

    def along_state(self, vector: Tensor) -> Tensor:
        state, inputs, tangent = self._rows(self.state, self.inputs, vector)
        product = jvp(lambda s: self.cell.step(self.parameters, s, inputs), (state,), (tangent,))[1]
        return product.view(vector.shape)

    def along_parameters(self, direction: Parameters) -> Tensor:
        state, inputs = self._rows(self.state, self.inputs)
        along = {name: direction[name] for name in self.parameters}
        product = jvp(lambda p: self.cell.step(p, state, inputs), (self.parameters,), (along,))[1]
        return product.view(self.state.shape)

    def pull_back(self, covector: Tensor) -> Tensor:
        state, inputs, cotangent = self._rows(self.state, self.inputs, covector)
        back = vjp(lambda s: self.cell.step(self.parameters, s, inputs), state)[1]
        return back(cotangent)[0].view(covector.shape)

    def _jacobian(self) -> Float[Tensor, "... state state"]:
        state, inputs = self._rows(self.state, self.inputs)

        def one(s: Tensor, x: Tensor) -> Tensor:
            return self.cell.step(self.parameters, s[None], x[None])[0]

        return vmap(jacrev(one))(state, inputs).view(*self.state.shape, -1)

    def _retention(self, jacobian: Tensor) -> Tensor:
        if self.cell.retention is None:
            return jacobian.diagonal(dim1=-2, dim2=-1)
        state, inputs = self._rows(self.state, self.inputs)
        return self.cell.retention(self.parameters, state, inputs).view(self.state.shape)

    @staticmethod
    def _rows(*tensors: Tensor) -> list[Tensor]:
        """Points as rows, as a step takes them; where one has more points than another, the latter is repeated."""
        leading = torch.broadcast_shapes(*(each.shape[:-1] for each in tensors))
        return [each.expand(*leading, -1).reshape(-1, each.shape[-1]) for each in tensors]


@dataclass(frozen=True)
class FunctionNetwork(Network):
    """A cell with a readout given as a function."""

    readout: Readout = field(kw_only=True)

    def predict(self, parameters: Parameters, states: Tensor) -> Tensor:
        return self.readout(states.reshape(-1, states.shape[-1])).view(states.shape[:-1])

    def error_signal(self, parameters: Parameters, states: Tensor, targets: Tensor) -> Tensor:
        rows = states.reshape(-1, states.shape[-1])
        predicted, back = vjp(self.readout, rows)[:2]
        return back(2 * (predicted - targets.reshape(-1)))[0].view(states.shape)
