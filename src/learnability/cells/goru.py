"""The gated orthogonal recurrent unit, GORU (Jing et al. 2017, "Gated Orthogonal Recurrent Units: On Learning to
Forget", arXiv 1706.02761).

    z_t = σ(W_z x_t + U_z h_{t-1} + b_z)                             update; its z is 1 - z here, as in `gru`
    r_t = σ(W_r x_t + U_r h_{t-1} + b_r)                             reset
    g_t = modReLU(W_h x_t + r_t ⊙ (U_h h_{t-1}))                     candidate, modReLU as in `vanilla`
    h_t = (1 - z_t) ⊙ h_{t-1} + z_t ⊙ g_t

U_h is a rotation: a product of log2 H layers, each of which turns all units in pairs, in the first units that are H/2
apart, then H/4, down to 1. So it has H/2 log2 H angles. It is the arrangement that the authors' public code takes by
default (`fft`).
"""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells.cell import Cell, gate_parameters, orthogonal, require_gate
from learnability.cells.linearization import Parameters, affine, kept
from learnability.cells.vanilla import modrelu
from learnability.core.errors import require
from learnability.core.streams import numpy_generator

RESET_INIT = 1 / (1 + np.exp(-2))
"""Value of r at the start, whatever the input: the public code's bias of 2."""
M_INIT = 0.01
"""Value of m of modReLU at the start of the public code."""


@dataclass(frozen=True)
class GORU(Cell):
    """An update gate z that starts at `gate_init`, a reset gate, and a rotation of the hidden units, 2^k of them."""

    ORTHOGONAL = ("theta_h",)

    gate_init: float

    def __post_init__(self) -> None:
        require_gate("gate_init", self.gate_init)
        size = self.hidden_size
        require(size >= 2 and size & (size - 1) == 0, "hidden_size", "a power of 2, at least 2, of a GORU", size)

    @staticmethod
    def next_size(hidden_size: int) -> int:
        return max(2, 2 * hidden_size)

    @property
    def recurrent_matrices(self) -> tuple[str, ...]:
        return "U_z", "U_r", "U_h"

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """Orthogonal W_h, angles uniform in (-π, π), zero gate weights, b_z = logit(gate_init)."""
        layers = self.hidden_size.bit_length() - 1
        generator = numpy_generator(root_seed, seed, "initial", "theta_h")
        angles = generator.uniform(-np.pi, np.pi, (layers, self.hidden_size // 2))
        return {
            **gate_parameters(self, "z", self.hidden_size, self.gate_init),
            **gate_parameters(self, "r", self.hidden_size, RESET_INIT),
            "W_h": orthogonal(self.hidden_size, self.input_size, root_seed, seed, "W_h"),
            "theta_h": torch.from_numpy(angles),
            "m_h": torch.full((self.hidden_size,), M_INIT, dtype=torch.float64),
        }

    def prepared(self, parameters: Parameters) -> Parameters:
        """Parameters with U_h, the product of all layers."""
        return parameters if "U_h" in parameters else parameters | {"U_h": rotation(parameters["theta_h"])}

    def gate(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        """z_t."""
        return torch.sigmoid(affine(parameters, "z", state, inputs))

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        p = self.prepared(parameters)
        z, r = self.gate(p, state, inputs), torch.sigmoid(affine(p, "r", state, inputs))
        candidate = modrelu(inputs @ p["W_h"].mT + r * (kept(p, state) @ p["U_h"].mT), p["m_h"])
        return torch.lerp(state, candidate, z)


def rotation(angles: Float[Tensor, "layer pair"]) -> Float[Tensor, "hidden hidden"]:
    """The product of layers, the first of which turns units H/2 apart, each next one units half as far apart."""
    size = 2 * angles.shape[1]
    U = torch.eye(size, dtype=angles.dtype, device=angles.device)
    for k, layer in enumerate(angles):
        distance = size >> (k + 1)
        cosine, sine = layer.cos().view(-1, distance, 1), layer.sin().view(-1, distance, 1)
        first, second = U.view(-1, 2, distance, size).unbind(1)
        U = torch.stack([cosine * first - sine * second, sine * first + cosine * second], 1).view(size, size)
    return U
