"""The Legendre memory unit, LMU (Voelker, Kajić and Eliasmith 2019, "Legendre Memory Units: Continuous-Time
Representation in Recurrent Neural Networks", NeurIPS).

A memory m_t of d numbers holds the last θ steps of the number u_t, as coefficients of Legendre polynomials. Hidden
units read it. The state is s_t = [h_t; m_t].

    u_t = W_u x_t + U_u h_{t-1} + M_u m_{t-1}
    m_t = Ā m_{t-1} + B̄ u_t
    h_t = tanh(W_h x_t + U_h h_{t-1} + M_h m_t)

    θ dm/dt = A m + B u,      A_ij = (2i + 1) (-1 if i < j, else (-1)^(i-j+1)),      B_i = (2i + 1) (-1)^i

Ā and B̄ are of a zero-order hold over one step, and stay as they are: [Ā B̄; 0 1] = exp([A B; 0 0] / θ).
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import torch
from jaxtyping import Float64
from scipy.linalg import expm
from torch import Tensor

from learnability.cells.cell import Cell
from learnability.cells.irnn import normal, uniform
from learnability.cells.linearization import Parameters, kept
from learnability.core.errors import require


@dataclass(frozen=True)
class LMU(Cell):
    """Hidden units beside a memory of the last steps that does not learn.

    Args:
        order: d, numbers of the memory.
        longest: θ, the steps that it spans.

    Example:
        >>> LMU(2, 3, order=4, longest=20).state_size
        7
    """

    order: int = 32
    longest: int = 100

    def __post_init__(self) -> None:
        require(self.order >= 1, "order", "at least 1", self.order)
        require(self.longest >= 1, "longest", "at least 1 step", self.longest)

    @property
    def state_size(self) -> int:
        """H + d."""
        return self.hidden_size + self.order

    @property
    def recurrent_matrices(self) -> tuple[str, ...]:
        return "U_u", "U_h"

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """The public code's start: uniform W_u and U_u by LeCun, M_u zero, other matrices normal by Glorot."""
        seeds, sizes = (root_seed, seed), {"W": self.input_size, "U": self.hidden_size, "M": self.order}
        bounds = {kind: math.sqrt(3 / size) for kind, size in sizes.items()}
        return {
            **{f"{k}_u": uniform(seeds, f"{k}_u", (1, sizes[k]), -bounds[k], bounds[k]) for k in "WU"},
            "M_u": torch.zeros(1, self.order, dtype=torch.float64),
            **{
                f"{kind}_h": normal(
                    seeds, f"{kind}_h", (self.hidden_size, size), math.sqrt(2 / (self.hidden_size + size))
                )
                for kind, size in sizes.items()
            },
        }

    def prepared(self, parameters: Parameters) -> Parameters:
        """Parameters with Ā and B̄, as `A_m` (d, d) and `B_m` (d,)."""
        if "A_m" in parameters:
            return parameters
        matrices = torch.from_numpy(memory_matrices(self.order, self.longest)).to(parameters["M_u"])
        return parameters | {"A_m": matrices[:, :-1], "B_m": matrices[:, -1]}

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        p = self.prepared(parameters)
        h, m = state.split([self.hidden_size, self.order], -1)
        hidden = kept(p, h)
        u = inputs @ p["W_u"].mT + hidden @ p["U_u"].mT + m @ p["M_u"].mT
        m = m @ p["A_m"].mT + u * p["B_m"]
        return torch.cat([torch.tanh(inputs @ p["W_h"].mT + hidden @ p["U_h"].mT + m @ p["M_h"].mT), m], -1)


@cache
def memory_matrices(order: int, longest: float) -> Float64[np.ndarray, "order order_and_input"]:
    """[Ā B̄] of a memory of `order` numbers that spans `longest` steps."""
    i, j = np.meshgrid(np.arange(order), np.arange(order), indexing="ij")
    A = (2 * i + 1) * np.where(i < j, -1.0, (-1.0) ** (i - j + 1))
    B = (2 * i[:, :1] + 1) * (-1.0) ** i[:, :1]
    generator = np.zeros((order + 1, order + 1))
    generator[:-1] = np.hstack([A, B]) / longest
    return np.asarray(expm(generator)[:-1])
