"""Recurrent cells that add to what they remember: the steps from a memory without control towards the LSTM.

    identity recurrence     h_t = h_{t-1} + g_t,              g_t = tanh(W_h x_t + b_h)
    forget-gate RNN         h_t = f_t ⊙ h_{t-1} + g_t,        f_t = σ(W_f x_t + U_f h_{t-1} + b_f)

    J_t = I,      and     J_t = D(f_t) + D(h_{t-1} ⊙ f_t ⊙ (1 - f_t)) U_f

What the candidate g_t writes does not depend on h_{t-1}, so that the first passes gradients on as they are, over any
number of steps, and forgets nothing.
"""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from learnability.cells.cell import Cell, candidate_parameters, gate_parameters, require_gate
from learnability.cells.leaky import LeakyLinearization
from learnability.cells.linearization import InputPath, Parameters, Path, affine, affine_in_inputs


@dataclass(frozen=True)
class IdentityRNN(Cell):
    """h_t = h_{t-1} + tanh(W_h x_t + b_h)."""

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """Orthogonal W_h, zero b_h."""
        parameters = candidate_parameters(self, "h", root_seed, seed)
        del parameters["U_h"]
        return parameters

    def candidate(self, parameters: Parameters, inputs: Tensor) -> Tensor:
        """g_t."""
        return torch.tanh(affine_in_inputs(parameters, "h", inputs))

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        return state + self.candidate(parameters, inputs)

    def linearize(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> LeakyLinearization:
        return LeakyLinearization(torch.ones_like(state), (self._candidate_path(parameters, state, inputs),))

    def _candidate_path(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Path:
        g = self.candidate(parameters, inputs)
        return InputPath("h", state.new_zeros(self.hidden_size, self.hidden_size), 1 - g**2, state, inputs)


@dataclass(frozen=True)
class ForgetRNN(IdentityRNN):
    """h_t = f_t ⊙ h_{t-1} + tanh(W_h x_t + b_h), with a forget gate that starts at 1 - `gate_init`."""

    gate_paths: ClassVar[dict[str, str]] = {"forget": "f"}

    gate_init: float

    def __post_init__(self) -> None:
        require_gate("gate_init", self.gate_init)

    @property
    def recurrent_matrices(self) -> tuple[str, ...]:
        return ("U_f",)

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """The parent's parameters, with zero gate weights and b_f from `gate_init`."""
        gate = gate_parameters(self, "f", self.hidden_size, 1 - self.gate_init)
        return super().initial_parameters(root_seed, seed) | gate

    def gate(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        """1 - f_t, the share of h_{t-1} that is forgotten."""
        return 1 - self._forget(parameters, state, inputs)

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        return self._forget(parameters, state, inputs) * state + self.candidate(parameters, inputs)

    def linearize(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> LeakyLinearization:
        f = self._forget(parameters, state, inputs)
        path = Path("f", parameters["U_f"], state * f * (1 - f), state, inputs)
        return LeakyLinearization(f, (path, self._candidate_path(parameters, state, inputs)))

    def _forget(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        """f_t."""
        return torch.sigmoid(affine(parameters, "f", state, inputs))
