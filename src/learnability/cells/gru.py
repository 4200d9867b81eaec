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
from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells.cell import Cell, candidate_parameters, gate_parameters, require_gate
from learnability.cells.linearization import Diagonals, JacobianSplit, Linearization, Parameters, Path, affine, total


@dataclass(frozen=True)
class GRU(Cell):
    """An update gate z that starts at `gate_init` and a reset gate r that starts at 1/2, whatever the input."""

    has_reset: ClassVar[bool] = True
    gate_paths: ClassVar[dict[str, str]] = {"update": "z", "reset": "r"}

    gate_init: float

    def __post_init__(self) -> None:
        require_gate("gate_init", self.gate_init)

    @property
    def recurrent_matrices(self) -> tuple[str, ...]:
        return "U_z", "U_r", "U_h"

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """Orthogonal W_h and U_h, zero gate weights, b_z = logit(gate_init), other biases zero."""
        return {
            **gate_parameters(self, "z", self.hidden_size, self.gate_init),
            **gate_parameters(self, "r", self.hidden_size, 0.5),
            **candidate_parameters(self, "h", root_seed, seed),
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

    def linearize(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> "GRULinearization":
        z, r = self.gate(parameters, state, inputs), self.reset(parameters, state, inputs)
        g = torch.tanh(affine(parameters, "h", r * state, inputs))
        return GRULinearization(
            1 - z,
            r,
            Path("z", parameters["U_z"], (g - state) * z * (1 - z), state, inputs),
            Path("r", parameters["U_r"], state * r * (1 - r), state, inputs),
            Path("h", parameters["U_h"], z * (1 - g**2), r * state, inputs),
        )


@dataclass(frozen=True)
class GRULinearization(Linearization):
    """J_t = D(1 - z_t) + update path + candidate path (D(r_t) + reset path)."""

    retention: Float[Tensor, "... hidden"]
    reset: Float[Tensor, "... hidden"]
    update_path: Path
    reset_path: Path
    candidate_path: Path

    def split(self) -> JacobianSplit:
        inner = torch.diag_embed(self.reset) + self.reset_path.matrix()
        mixing = self.update_path.matrix() + self.candidate_path.matrix() @ inner
        return JacobianSplit(torch.diag_embed(self.retention), mixing)

    def diagonals(self) -> Diagonals:
        """Diagonals of J_t, by diag(U_h D(v) U_r) = (U_h ∘ U_rᵀ) v."""
        U_h, U_r, v = self.candidate_path.U, self.reset_path.U, self.reset_path.factor
        inner = self.reset * U_h.diagonal() + v @ (U_h.mT * U_r)
        mixing = self.update_path.diagonal() + self.candidate_path.factor * inner
        return Diagonals(self.retention, mixing, reset=self.reset)

    def along_state(self, vector: Tensor) -> Tensor:
        inner = self.reset * vector + self.reset_path.along(vector)
        return self.retention * vector + self.update_path.along(vector) + self.candidate_path.along(inner)

    def along_parameters(self, direction: Parameters) -> Tensor:
        via_reset = self.candidate_path.along(self.reset_path.perturbed(direction))
        return self.update_path.perturbed(direction) + self.candidate_path.perturbed(direction) + via_reset

    def pull_back(self, covector: Tensor) -> Tensor:
        inner = self.candidate_path.pull_back(covector)
        mixing = self.update_path.pull_back(covector) + self.reset_path.pull_back(inner)
        return self.retention * covector + mixing + self.reset * inner

    def gradient(self, covector: Tensor) -> Parameters:
        of_reset = self.reset_path.gradient(self.candidate_path.pull_back(covector))
        return self.update_path.gradient(covector) | of_reset | self.candidate_path.gradient(covector)

    def along_inputs(self, vector: Tensor, parameters: Parameters) -> Tensor:
        via_reset = self.candidate_path.along(self.reset_path.along_inputs(vector, parameters))
        direct = (path.along_inputs(vector, parameters) for path in (self.update_path, self.candidate_path))
        return via_reset + total(direct)

    def pull_back_to_inputs(self, covector: Tensor, parameters: Parameters) -> Tensor:
        via_reset = self.reset_path.pull_back_to_inputs(self.candidate_path.pull_back(covector), parameters)
        direct = (path.pull_back_to_inputs(covector, parameters) for path in (self.update_path, self.candidate_path))
        return via_reset + total(direct)
