"""Recurrent cells without gates: RNN, orth-RNN and expRNN, as in Kerg et al. 2020, "Untangling tradeoffs between
recurrence and self-attention in neural networks" (arXiv 2006.09471).

    h_t = φ(W_h x_t + U_h h_{t-1} + b_h)                           its Eq. 1, with W for its U and U for its V
    φ   = tanh,   or modReLU: φ(a) = sign(a) max(|a| + m, 0)       Arjovsky et al. 2016, m of each unit learned

orth-RNN starts from U_h = exp(A), A skew, and goes anywhere from there (Henaff et al. 2016); in expRNN U_h = exp(A)
throughout and A is what is learned (Lezcano-Casado and Martínez-Rubio 2019). Without a bias and m = 0 both start with
‖U_h h‖ = ‖h‖; expRNN keeps it.
"""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Float64
from torch import Tensor

from learnability.cells.cell import Cell, candidate_parameters
from learnability.cells.linearization import Parameters, affine
from learnability.core.errors import require_one_of
from learnability.core.streams import numpy_generator

NONLINEARITIES = ("tanh", "modrelu")


@dataclass(frozen=True)
class RNN(Cell):
    """h_t = φ(W_h x_t + U_h h_{t-1} + b_h).

    Args:
        nonlinearity: φ, `tanh` or `modrelu`, whose m starts at 0: the identity.
    """

    nonlinearity: str = "tanh"

    def __post_init__(self) -> None:
        require_one_of("nonlinearity", self.nonlinearity, NONLINEARITIES)

    @property
    def recurrent_matrices(self) -> tuple[str, ...]:
        return ("U_h",)

    @property
    def roles(self) -> dict[str, list[str]]:
        by_role = {"input": ["W_h"], "recurrent": [*(self.ORTHOGONAL or self.recurrent_matrices)], "bias": ["b_h"]}
        return by_role | ({"modrelu": ["m_h"]} if self.nonlinearity == "modrelu" else {})

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """Orthogonal W_h and U_h, zero b_h and m."""
        parameters = candidate_parameters(self, "h", root_seed, seed)
        if self.nonlinearity == "modrelu":
            parameters["m_h"] = torch.zeros(self.hidden_size, dtype=torch.float64)
        return parameters

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        a = affine(self.prepared(parameters), "h", state, inputs)
        return modrelu(a, parameters["m_h"]) if self.nonlinearity == "modrelu" else torch.tanh(a)


@dataclass(frozen=True)
class OrthRNN(RNN):
    """An RNN that starts from a rotation U_h = exp(A); by default with modReLU."""

    nonlinearity: str = "modrelu"

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """The parent's parameters, with U_h = exp(A) of `rotation_generator`."""
        U = torch.matrix_exp(skew(rotation_generator(self, root_seed, seed)))
        return super().initial_parameters(root_seed, seed) | {"U_h": U}


@dataclass(frozen=True)
class ExpRNN(RNN):
    """An RNN whose U_h = exp(A) stays a rotation: training learns the entries of A above its diagonal."""

    ORTHOGONAL = ("A_h",)

    nonlinearity: str = "modrelu"

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """The parent's parameters, with `A_h` of `rotation_generator` in place of U_h."""
        parameters = super().initial_parameters(root_seed, seed)
        del parameters["U_h"]
        return parameters | {"A_h": rotation_generator(self, root_seed, seed)}

    def prepared(self, parameters: Parameters) -> Parameters:
        """Parameters with U_h = exp(A)."""
        if "U_h" in parameters:
            return parameters
        return parameters | {"U_h": torch.matrix_exp(skew(parameters["A_h"]))}


def modrelu(a: Float[Tensor, "... hidden"], m: Float[Tensor, "hidden"]) -> Float[Tensor, "... hidden"]:
    """sign(a) max(|a| + m, 0); with m = 0 the identity, its derivative at a = 0 included."""
    return torch.where(a.abs() + m < 0, torch.zeros_like(a), a + m * a.sign())


def skew(above: Float[Tensor, "hidden hidden"]) -> Float[Tensor, "hidden hidden"]:
    """The skew matrix with these entries above its diagonal."""
    upper = above.triu(1)
    return upper - upper.mT


def rotation_generator(
    cell: Cell, root_seed: int, seed: int, angles_between: tuple[float, float] = (-np.pi, np.pi)
) -> Float64[Tensor, "hidden hidden"]:
    """Entries of A above its diagonal such that exp(A) rotates pairs of units by angles uniform in (-π, π).

    The start of Henaff et al. 2016, and the default of the public code of expRNN; that of Kerg et al. draws from
    (-π, 0), which is the same but for the order of the two units of a pair.
    """
    generator = numpy_generator(root_seed, seed, "initial", "A_h")
    angles = generator.uniform(*angles_between, cell.hidden_size // 2)
    above = torch.zeros(cell.hidden_size, cell.hidden_size, dtype=torch.float64)
    first = torch.arange(0, 2 * len(angles), 2)
    above[first, first + 1] = torch.from_numpy(angles)
    return above
