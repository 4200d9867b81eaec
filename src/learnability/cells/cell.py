"""What every recurrent cell offers: parameters, one step, and the one-step Jacobian split in two.

Notation: state s_{t-1} -> s_t = F(θ, s_{t-1}, x_t), J_t = ∂s_t/∂s_{t-1} = T_t + R_t with T_t the gated retention,
diagonal where the state is h_t alone, and R_t the recurrent mixing. Every method maps over leading dimensions
(`...`: sequence, time).
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Float64
from torch import Tensor

from learnability.errors import require
from learnability.streams import seed_sequence

Parameters = dict[str, Tensor]


class JacobianSplit(NamedTuple):
    """One-step Jacobian J = T + R: gated retention T and recurrent mixing R."""

    retention: Float[Tensor, "... state state"]
    mixing: Float[Tensor, "... state state"]

    @property
    def whole(self) -> Float[Tensor, "... state state"]:
        """J."""
        return self.retention + self.mixing


class JacobianDiagonals(NamedTuple):
    """diag D and diag R of a one-step Jacobian J = D + R: the factors a_t + ε d_t of a dual-number window."""

    retention: Float[Tensor, "... hidden"]
    mixing: Float[Tensor, "... hidden"]


@dataclass(frozen=True)
class Cell(ABC):
    """A recurrent cell with `input_size` inputs (D) and `hidden_size` units (H)."""

    input_size: int
    hidden_size: int

    @property
    def state_size(self) -> int:
        """Numbers in the state s_t: H, or more where a cell keeps more than its hidden units."""
        return self.hidden_size

    def output(self, state: Float[Tensor, "... state"]) -> Float[Tensor, "... hidden"]:
        """The hidden units h_t within the state s_t: the first H of it."""
        return state[..., : self.hidden_size]

    @abstractmethod
    def initial_parameters(self, study: int, seed: int) -> Parameters:
        """Float64 parameters at initialisation, each from a stream keyed by its own name."""

    @abstractmethod
    def step(
        self, parameters: Parameters, state: Float[Tensor, "... state"], inputs: Float[Tensor, "... input"]
    ) -> Float[Tensor, "... state"]:
        """s_t from s_{t-1} and x_t."""

    @abstractmethod
    def gate(
        self, parameters: Parameters, state: Float[Tensor, "... state"], inputs: Float[Tensor, "... input"]
    ) -> Float[Tensor, "... gate"]:
        """The update gate at t, in (0, 1); its last dimension is 1 or H."""

    @abstractmethod
    def jacobian(
        self, parameters: Parameters, state: Float[Tensor, "... state"], inputs: Float[Tensor, "... input"]
    ) -> JacobianSplit:
        """J_t at (s_{t-1}, x_t), split into retention and mixing."""

    @abstractmethod
    def jacobian_vector_product(
        self,
        parameters: Parameters,
        state: Float[Tensor, "... state"],
        inputs: Float[Tensor, "... input"],
        vector: Float[Tensor, "... state"],
    ) -> Float[Tensor, "... state"]:
        """J_t v, without forming J_t."""

    @abstractmethod
    def jacobian_diagonals(
        self, parameters: Parameters, state: Float[Tensor, "... state"], inputs: Float[Tensor, "... input"]
    ) -> JacobianDiagonals:
        """The diagonals of both parts of J_t, without forming a matrix."""


def affine(parameters: Parameters, path: str, state: Tensor, inputs: Tensor) -> Float[Tensor, "... row"]:
    """The pre-activation a_t = W x_t + U h_{t-1} + b of one path, `h` or `s`, say."""
    return inputs @ parameters[f"W_{path}"].mT + state @ parameters[f"U_{path}"].mT + parameters[f"b_{path}"]


def candidate_parameters(cell: Cell, path: str, study: int, seed: int) -> Parameters:
    """Orthogonal W and U and a zero bias (paper Sec. 6.1)."""
    return {
        f"W_{path}": orthogonal(cell.hidden_size, cell.input_size, study, seed, f"W_{path}"),
        f"U_{path}": orthogonal(cell.hidden_size, cell.hidden_size, study, seed, f"U_{path}"),
        f"b_{path}": torch.zeros(cell.hidden_size, dtype=torch.float64),
    }


def gate_parameters(cell: Cell, path: str, rows: int, start: float) -> Parameters:
    """Zero W and U and the bias logit(start): σ(W x + U h + b) = start, whatever the input."""
    return {
        f"W_{path}": torch.zeros(rows, cell.input_size, dtype=torch.float64),
        f"U_{path}": torch.zeros(rows, cell.hidden_size, dtype=torch.float64),
        f"b_{path}": torch.full((rows,), start, dtype=torch.float64).logit(),
    }


def require_gate(key: str, value: float) -> None:
    """Raise `InputError` unless a gate can have this value."""
    require(0 < value < 1, key, "in (0, 1)", value)


def orthogonal(rows: int, columns: int, study: int, seed: int, name: str) -> Float64[Tensor, "rows columns"]:
    """A random (semi-)orthogonal matrix from the initialisation stream of the parameter `name`."""
    (state,) = seed_sequence(study, seed, "initial", name).generate_state(1, np.uint64)
    generator = torch.Generator().manual_seed(int(state >> np.uint64(1)))
    return torch.nn.init.orthogonal_(torch.empty(rows, columns, dtype=torch.float64), generator=generator)
