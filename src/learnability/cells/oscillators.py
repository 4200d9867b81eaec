"""The coupled oscillatory recurrent network, coRNN (Rusch and Mishra 2021, "Coupled Oscillatory Recurrent Neural
Network (coRNN): An accurate and (gradient) stable architecture for learning long time dependencies", arXiv 2010.00951).

Its hidden units are places y of driven, damped oscillators with velocities z; the state is s_t = [y_t; z_t]:

    z_t = z_{t-1} + Δt (tanh(W_h x_t + U_h y_{t-1} + V_h z_{t-1} + b_h) - γ y_{t-1} - ε z_{t-1})
    y_t = y_{t-1} + Δt z_t                                                                          Eq. 3

It is the implicit-explicit step of y'' = tanh(W x + U y + V y' + b) - γ y - ε y'. The damping is taken at t - 1, as in
the public code; the paper also has it at t.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from learnability.cells.cell import Cell
from learnability.cells.irnn import uniform
from learnability.cells.linearization import Parameters, affine
from learnability.core.errors import require


@dataclass(frozen=True)
class CoRNN(Cell):
    """Oscillators that drive each other. Default settings are what the paper has for pixels of digits.

    Args:
        time_step: Δt.
        stiffness: γ, the square of the frequency of each oscillator by itself.
        damping: ε.

    Example:
        >>> CoRNN(2, 3).state_size
        6
    """

    time_step: float = 0.042
    stiffness: float = 2.7
    damping: float = 4.7

    def __post_init__(self) -> None:
        for key in ("time_step", "stiffness", "damping"):
            require(getattr(self, key) > 0, key, "above 0", getattr(self, key))

    @property
    def state_size(self) -> int:
        """2H: y_t, then z_t."""
        return 2 * self.hidden_size

    @property
    def recurrent_matrices(self) -> tuple[str, ...]:
        return ("U_h",)

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """The public code's start: one `torch.nn.Linear` of x, z and y, U(-1/√(D + 2H), 1/√(D + 2H))."""
        units, bound = self.hidden_size, 1 / math.sqrt(self.input_size + 2 * self.hidden_size)
        shapes: dict[str, tuple[int, ...]] = {
            "W_h": (units, self.input_size),
            "U_h": (units, units),
            "V_h": (units, units),
            "b_h": (units,),
        }
        return {name: uniform((root_seed, seed), name, shape, -bound, bound) for name, shape in shapes.items()}

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        y, z = state.chunk(2, -1)
        force = torch.tanh(affine(parameters, "h", y, inputs) + z @ parameters["V_h"].mT)
        z = z + self.time_step * (force - self.stiffness * y - self.damping * z)
        return torch.cat([y + self.time_step * z, z], -1)
