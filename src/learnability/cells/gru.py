"""The GRU of the paper's Sec. 4.3.

    z_t = σ(W_z x_t + U_z h_{t-1} + b_z)                   update, Eq. 15
    r_t = σ(W_r x_t + U_r h_{t-1} + b_r)                   reset, Eq. 16
    g_t = tanh(W_h x_t + U_h (r_t ⊙ h_{t-1}) + b_h)        candidate, Eq. 17
    h_t = (1 - z_t) ⊙ h_{t-1} + z_t ⊙ g_t                  Eq. 18
    J_t = D(1 - z_t) + D((g_t - h_{t-1}) ⊙ σ'_z) U_z                    Eq. 22
        + D(z_t ⊙ (1 - g_t²)) U_h (D(r_t) + D(h_{t-1} ⊙ σ'_r) U_r)

The reset gate acts within U_h (r ⊙ h); `torch.nn.GRU` puts it outside, r ⊙ (U_h h + b), which is another cell.
With r = 1 this is DiagGate.
"""

from dataclasses import dataclass
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
    """What scales the rows of U_z, U_h and U_r in J_t, beside the gates themselves."""

    update: Float[Tensor, "... hidden"]
    reset: Float[Tensor, "... hidden"]
    update_path: Float[Tensor, "... hidden"]
    candidate_path: Float[Tensor, "... hidden"]
    reset_path: Float[Tensor, "... hidden"]


@dataclass(frozen=True)
class GRU(Cell):
    """An update gate z that starts at `gate_init` and a reset gate r that starts at 1/2, whatever the input."""

    gate_init: float

    def __post_init__(self) -> None:
        require_gate("gate_init", self.gate_init)

    def initial_parameters(self, study: int, seed: int) -> Parameters:
        """Orthogonal W_h and U_h, zero gate weights, b_z = logit(gate_init), other biases zero."""
        return {
            **gate_parameters(self, "z", self.hidden_size, self.gate_init),
            **gate_parameters(self, "r", self.hidden_size, 0.5),
            **candidate_parameters(self, "h", study, seed),
        }

    def gate(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        """z_t."""
        return torch.sigmoid(affine(parameters, "z", state, inputs))

    def reset(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Float[Tensor, "... hidden"]:
        """r_t."""
        return torch.sigmoid(affine(parameters, "r", state, inputs))

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        z, r = self.gate(parameters, state, inputs), self.reset(parameters, state, inputs)
        return torch.lerp(state, torch.tanh(affine(parameters, "h", r * state, inputs)), z)

    def jacobian(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> JacobianSplit:
        f = self._factors(parameters, state, inputs)
        filtered = torch.diag_embed(f.reset) + f.reset_path[..., None] * parameters["U_r"]
        mixing = f.update_path[..., None] * parameters["U_z"]
        mixing = mixing + f.candidate_path[..., None] * (parameters["U_h"] @ filtered)
        return JacobianSplit(torch.diag_embed(1 - f.update), mixing)

    def jacobian_vector_product(self, parameters: Parameters, state: Tensor, inputs: Tensor, vector: Tensor) -> Tensor:
        f = self._factors(parameters, state, inputs)
        filtered = f.reset * vector + f.reset_path * (vector @ parameters["U_r"].mT)
        mixed = f.update_path * (vector @ parameters["U_z"].mT) + f.candidate_path * (filtered @ parameters["U_h"].mT)
        return (1 - f.update) * vector + mixed

    def jacobian_diagonals(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> JacobianDiagonals:
        """As the parent's, with diag(U_h D(v) U_r) = (U_h ∘ U_rᵀ) v."""
        f, p = self._factors(parameters, state, inputs), parameters
        filtered = f.reset * p["U_h"].diagonal() + f.reset_path @ (p["U_h"].mT * p["U_r"])
        return JacobianDiagonals(1 - f.update, f.update_path * p["U_z"].diagonal() + f.candidate_path * filtered)

    def _factors(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> _Factors:
        z, r = self.gate(parameters, state, inputs), self.reset(parameters, state, inputs)
        g = torch.tanh(affine(parameters, "h", r * state, inputs))
        return _Factors(z, r, (g - state) * z * (1 - z), z * (1 - g**2), state * r * (1 - r))
