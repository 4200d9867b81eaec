"""The LSTM of the paper's Sec. 4.2, with the state s_t = [h_t; c_t].

    i_t, f_t, o_t = σ(W x_t + U h_{t-1} + b), each with its own W, U, b          Eqs. 4-6
    g_t = tanh(W_g x_t + U_g h_{t-1} + b_g)                                      Eq. 7
    c_t = f_t ⊙ c_{t-1} + i_t ⊙ g_t,      h_t = o_t ⊙ tanh(c_t)                  Eq. 8

    J_t = [[D(tanh(c_t) ⊙ σ'_o) U_o + E_t C_t, E_t F_t], [C_t, F_t]]             Eq. 11
    C_t = D(c_{t-1} ⊙ σ'_f) U_f + D(i_t ⊙ (1 - g_t²)) U_g + D(g_t ⊙ σ'_i) U_i    Eq. 9

with F_t = D(f_t) and E_t = D(o_t ⊙ (1 - tanh²(c_t))). Retention is the cell path: T_t = [[0, E_t F_t], [0, F_t]].
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells.cell import (
    Cell,
    JacobianDiagonals,
    JacobianSplit,
    Parameters,
    affine,
    candidate_parameters,
    gate_parameters,
    require_gate,
)


class _Factors(NamedTuple):
    """Retention f, expression e, and what scales the rows of U_f, U_g, U_i and U_o in J_t."""

    retention: Float[Tensor, "... hidden"]
    expression: Float[Tensor, "... hidden"]
    cell_paths: dict[str, Float[Tensor, "... hidden"]]
    output_path: Float[Tensor, "... hidden"]


@dataclass(frozen=True)
class LSTM(Cell):
    """A forget gate f that starts at 1 - `gate_init`, i at `gate_init` and o at 1/2, whatever the input."""

    gate_init: float

    def __post_init__(self) -> None:
        require_gate("gate_init", self.gate_init)

    @property
    def state_size(self) -> int:
        """2H: h_t, then c_t."""
        return 2 * self.hidden_size

    def initial_parameters(self, study: int, seed: int) -> Parameters:
        """Orthogonal W_g and U_g, zero gate weights, b_i and b_f from `gate_init`, other biases zero."""
        return {
            **gate_parameters(self, "i", self.hidden_size, self.gate_init),
            **gate_parameters(self, "f", self.hidden_size, 1 - self.gate_init),
            **gate_parameters(self, "o", self.hidden_size, 0.5),
            **candidate_parameters(self, "g", study, seed),
        }

    def gate(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        """1 - f_t, the share of c_{t-1} that is overwritten."""
        return 1 - torch.sigmoid(affine(parameters, "f", self.output(state), inputs))

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        c, (i, f, o, g) = state[..., self.hidden_size :], self._activations(parameters, state, inputs)
        c = f * c + i * g
        return torch.cat([o * torch.tanh(c), c], -1)

    def jacobian(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> JacobianSplit:
        factors = self._factors(parameters, state, inputs)
        to_c = _total(factor[..., None] * parameters[f"U_{path}"] for path, factor in factors.cell_paths.items())
        to_h = factors.output_path[..., None] * parameters["U_o"] + factors.expression[..., None] * to_c
        F, EF = torch.diag_embed(factors.retention), torch.diag_embed(factors.expression * factors.retention)
        zero = torch.zeros_like(F)
        retention = torch.cat([torch.cat([zero, EF], -1), torch.cat([zero, F], -1)], -2)
        return JacobianSplit(retention, torch.cat([torch.cat([to_h, zero], -1), torch.cat([to_c, zero], -1)], -2))

    def jacobian_vector_product(self, parameters: Parameters, state: Tensor, inputs: Tensor, vector: Tensor) -> Tensor:
        factors, (h, c) = self._factors(parameters, state, inputs), vector.chunk(2, -1)
        mixed = _total(factor * (h @ parameters[f"U_{path}"].mT) for path, factor in factors.cell_paths.items())
        to_c = factors.retention * c + mixed
        to_h = factors.output_path * (h @ parameters["U_o"].mT) + factors.expression * to_c
        return torch.cat([to_h, to_c], -1)

    def jacobian_diagonals(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> JacobianDiagonals:
        """f_t and diag C_t (Eqs. 13 and 9).

        In the (h, c) block of a window diag C_t meets e_{t-1}, which (s_{t-1}, x_t) does not hold: whoever builds the
        window multiplies by it.
        """
        factors = self._factors(parameters, state, inputs)
        mixing = _total(factor * parameters[f"U_{path}"].diagonal() for path, factor in factors.cell_paths.items())
        return JacobianDiagonals(factors.retention, mixing)

    def _activations(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> tuple[Tensor, ...]:
        """i_t, f_t, o_t, g_t."""
        i, f, o, g = (affine(parameters, path, self.output(state), inputs) for path in "ifog")
        return torch.sigmoid(i), torch.sigmoid(f), torch.sigmoid(o), torch.tanh(g)

    def _factors(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> _Factors:
        c, (i, f, o, g) = state[..., self.hidden_size :], self._activations(parameters, state, inputs)
        expressed = torch.tanh(f * c + i * g)
        cell_paths = {"f": c * f * (1 - f), "g": i * (1 - g**2), "i": g * i * (1 - i)}
        return _Factors(f, o * (1 - expressed**2), cell_paths, expressed * o * (1 - o))


def _total(terms: Iterable[Tensor]) -> Tensor:
    return reduce(torch.add, terms)
