"""A step of a cell to first order in its state and its parameters.

    ds_t = J_t ds_{t-1} + (∂s_t/∂θ) dθ,      J_t = ∂s_t/∂s_{t-1} = T_t + R_t

with T_t the gated retention, diagonal where the state is h_t alone, and R_t the recurrent mixing, a sum of paths
D(factor) U: one for each pre-activation a = W x_t + U h_{t-1} + b. No product here forms a matrix.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import reduce
from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

Parameters = dict[str, Tensor]
PullBack = Callable[[int, Float[Tensor, "sequence time state"]], Float[Tensor, "sequence time state"]]
"""vᵀ J of covectors at t = start, start + 1, …, counted from 0, from `start` and these."""
MASK = "mask"
"""Name of the dropout mask, (sequence, H), that training adds to the parameters."""


class JacobianSplit(NamedTuple):
    """One-step Jacobian J = T + R: gated retention T and recurrent mixing R."""

    retention: Float[Tensor, "... state state"]
    mixing: Float[Tensor, "... state state"]

    @property
    def whole(self) -> Float[Tensor, "... state state"]:
        """J."""
        return self.retention + self.mixing


class Diagonals(NamedTuple):
    """Diagonals of J = T + R along the path of first-order windows.

    Args:
        retention: a_t, of T; the LSTM's f_t.
        mixing: d_t, of R; the LSTM's diag C_t (Eq. 9).
        expression, output: the LSTM's alone, its ways to h_t: e_t (Eq. 13) and diag(D(tanh(c_t) ⊙ σ'_o) U_o).
        reset: the GRU's alone, r_t. With it rates are as in Eq. 26; without, γ⁰ + γ¹ as for every cell.
    """

    retention: Float[Tensor, "... hidden"]
    mixing: Float[Tensor, "... hidden"]
    expression: Float[Tensor, "... hidden"] | None = None
    output: Float[Tensor, "... hidden"] | None = None
    reset: Float[Tensor, "... hidden"] | None = None


def affine(parameters: Parameters, path: str, state: Tensor, inputs: Tensor) -> Float[Tensor, "... row"]:
    """The pre-activation a_t = W x_t + U h_{t-1} + b of one path, `h` or `s`, say."""
    hidden = kept(parameters, state)
    return inputs @ parameters[f"W_{path}"].mT + hidden @ parameters[f"U_{path}"].mT + parameters[f"b_{path}"]


def kept(parameters: Parameters, state: Float[Tensor, "... hidden"]) -> Float[Tensor, "... hidden"]:
    """The part of h_{t-1} that dropout leaves to recurrent matrices: all, unless the parameters have a mask."""
    return state * parameters[MASK] if MASK in parameters else state


def affine_in_inputs(parameters: Parameters, path: str, inputs: Tensor) -> Float[Tensor, "... row"]:
    """The pre-activation a_t = W x_t + b of a path that does not see h_{t-1}."""
    return inputs @ parameters[f"W_{path}"].mT + parameters[f"b_{path}"]


@dataclass(frozen=True)
class Path:
    """D(factor) da: how a change of the pre-activation a = W x_t + U h + b shows.

    Args:
        name: of the parameters W, U and b.
        U: has H rows, or one that all units share.
        factor, hidden, inputs: at each point; `hidden` is what U multiplies.
    """

    name: str
    U: Float[Tensor, "row hidden"]
    factor: Float[Tensor, "... hidden"]
    hidden: Float[Tensor, "... hidden"]
    inputs: Float[Tensor, "... input"]

    def along(self, vector: Float[Tensor, "... hidden"]) -> Float[Tensor, "... hidden"]:
        """D(factor) U v."""
        return self._shown(vector @ self.U.mT)

    def pull_back(self, covector: Float[Tensor, "... hidden"]) -> Float[Tensor, "... hidden"]:
        """vᵀ D(factor) U."""
        return self._rows(covector) @ self.U

    def gradient(self, covector: Float[Tensor, "... time hidden"]) -> Parameters:
        """Σ_t v_tᵀ D(factor_t) ∂a_t/∂θ of the path's own parameters."""
        rows = self._rows(covector)
        parts = {"W": rows.mT @ self.inputs, "U": rows.mT @ self.hidden, "b": rows.sum(-2)}
        return {f"{kind}_{self.name}": part for kind, part in parts.items()}

    def _rows(self, covector: Float[Tensor, "... hidden"]) -> Float[Tensor, "... row"]:
        """vᵀ D(factor), summed over units where they share one row."""
        rows = covector * self.factor
        return rows.sum(-1, keepdim=True) if len(self.U) == 1 else rows

    def matrix(self) -> Float[Tensor, "... hidden hidden"]:
        """D(factor) U."""
        return self.factor[..., None] * self.U

    def diagonal(self) -> Float[Tensor, "... hidden"]:
        """The diagonal of D(factor) U."""
        return self.factor * self.U.expand(self.factor.shape[-1], -1).diagonal()

    def perturbed(self, direction: Parameters) -> Float[Tensor, "... hidden"]:
        """D(factor) (W_w x_t + U_w h + b_w), with the matrices of a direction w."""
        return self._shown(affine(direction, self.name, self.hidden, self.inputs))

    def along_inputs(self, vector: Float[Tensor, "... input"], parameters: Parameters) -> Float[Tensor, "... hidden"]:
        """D(factor) W v."""
        return self._shown(vector @ parameters[f"W_{self.name}"].mT)

    def pull_back_to_inputs(
        self, covector: Float[Tensor, "... hidden"], parameters: Parameters
    ) -> Float[Tensor, "... input"]:
        """vᵀ D(factor) W."""
        return self._rows(covector) @ parameters[f"W_{self.name}"]

    def _shown(self, change: Float[Tensor, "... row"]) -> Float[Tensor, "... hidden"]:
        """D(factor) da."""
        return self.factor * change


@dataclass(frozen=True)
class InputPath(Path):
    """D(factor) da with a = W x_t + b: the path of what does not see h_{t-1}, its U zero and no parameter."""

    def gradient(self, covector: Tensor) -> Parameters:
        return {name: gradient for name, gradient in super().gradient(covector).items() if name != f"U_{self.name}"}

    def perturbed(self, direction: Parameters) -> Tensor:
        """D(factor) (W_w x_t + b_w)."""
        return self._shown(affine_in_inputs(direction, self.name, self.inputs))


@dataclass(frozen=True)
class Linearization(ABC):
    """A step at given points (s_{t-1}, x_t), to first order; every method maps over the points."""

    def __getitem__(self, index: Any) -> "Linearization":
        """The linearization at some of the points."""
        return _at(self, index)

    @abstractmethod
    def split(self) -> JacobianSplit:
        """J_t, split into gated retention and recurrent mixing."""

    @abstractmethod
    def diagonals(self) -> Diagonals:
        """Diagonals of J_t that first-order windows need."""

    @abstractmethod
    def along_state(self, vector: Float[Tensor, "... state"]) -> Float[Tensor, "... state"]:
        """J_t v."""

    @abstractmethod
    def along_parameters(self, direction: Parameters) -> Float[Tensor, "... state"]:
        """⟨B_t, w⟩, the derivative of s_t along w in parameter space at fixed s_{t-1}."""

    @abstractmethod
    def pull_back(self, covector: Float[Tensor, "... state"]) -> Float[Tensor, "... state"]:
        """vᵀ J_t."""

    def pull_back_rows(self, covectors: Float[Tensor, "point row state"]) -> Float[Tensor, "point row state"]:
        """vᵀ J_t of several v at each point."""
        return self[:, None].pull_back(covectors)

    def over_time(self) -> "PullBack":
        """vᵀ J_t at points (sequence, time), for many v one after the other."""
        return lambda start, covector: self[:, start : start + covector.shape[1]].pull_back(covector)

    @abstractmethod
    def gradient(self, covector: Float[Tensor, "... time state"]) -> Parameters:
        """Σ_t v_tᵀ B_t over the last dimension of points; v may have further dimensions before them."""

    def write_gradients(
        self,
        covectors: Float[Tensor, "count time state"],
        names: Sequence[str],
        result: Float[Tensor, "count parameter"],
    ) -> None:
        """Write `gradient` of several covectors over points t, its named parameters side by side."""
        gradient = self.gradient(covectors)
        parts = [gradient[name].reshape(len(covectors), -1) for name in names]
        for part, place in zip(parts, result.split([part.shape[1] for part in parts], 1), strict=True):
            place.copy_(part)

    @abstractmethod
    def along_inputs(self, vector: Float[Tensor, "... input"], parameters: Parameters) -> Float[Tensor, "... state"]:
        """(∂s_t/∂x_t) v: what a `Stack` asks of its layers."""

    @abstractmethod
    def pull_back_to_inputs(
        self, covector: Float[Tensor, "... state"], parameters: Parameters
    ) -> Float[Tensor, "... input"]:
        """vᵀ ∂s_t/∂x_t: what a `Stack` asks of its layers."""


def total(parts: Iterable[Tensor]) -> Tensor:
    """Sum of the parts."""
    return reduce(torch.add, parts)


def _at(value: Any, index: Any) -> Any:
    """Select some points of a value; weights (`U`) have no points and stay as they are."""
    if isinstance(value, Tensor):
        return value[index]
    if isinstance(value, Path | Linearization):
        parts = {field.name: getattr(value, field.name) for field in fields(value) if field.name not in ("name", "U")}
        return replace(value, **{name: _at(part, index) for name, part in parts.items()})
    if isinstance(value, tuple):
        return tuple(_at(part, index) for part in value)
    return value
