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


def orthogonal(rows: int, columns: int, study: int, seed: int, name: str) -> Float64[Tensor, "rows columns"]:
    """A random (semi-)orthogonal matrix from the initialisation stream of the parameter `name`."""
    (state,) = seed_sequence(study, seed, "initial", name).generate_state(1, np.uint64)
    generator = torch.Generator().manual_seed(int(state >> np.uint64(1)))
    return torch.nn.init.orthogonal_(torch.empty(rows, columns, dtype=torch.float64), generator=generator)
