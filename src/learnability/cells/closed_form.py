"""The closed-form continuous-time network, CfC (Hasani et al. 2022, "Closed-form Continuous-time Neural Networks",
arXiv 2106.13898), gated, with one step of time between inputs.

    k_t = 1.7159 tanh(0.666 (W_h x_t + U_h h_{t-1} + b_h))            the backbone
    g, f = tanh(P_g k_t + b_g), tanh(P_f k_t + b_f)
    τ_t = σ(P_a k_t + b_a + P_b k_t + b_b)                            the time gate, σ(a Δt + b) with Δt = 1
    h_t = (1 - τ_t) ⊙ g + τ_t ⊙ f

Its four heads and its default nonlinearity are as in the authors' public code. Its backbone has one layer here.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from learnability.cells.cell import Cell
from learnability.cells.irnn import uniform
from learnability.cells.linearization import Parameters, affine
from learnability.core.errors import require

HEADS = "gfab"
SCALE, SLOPE = 1.7159, 0.666
"""Factors of the tanh of the backbone, LeCun's."""


@dataclass(frozen=True)
class CfC(Cell):
    """Hidden units between two values of a backbone, by a gate of time.

    Args:
        backbone: units of the backbone; 64 are the fewest that its authors trained.

    Example:
        >>> CfC(2, 3, backbone=8).initial_parameters(1, 0)["P_g"].shape
        torch.Size([3, 8])
    """

    backbone: int = 64

    def __post_init__(self) -> None:
        require(self.backbone >= 1, "backbone", "at least 1 unit", self.backbone)

    @property
    def recurrent_matrices(self) -> tuple[str, ...]:
        return ("U_h",)

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """The public code's start: uniform matrices by Glorot, [W_h U_h] as one; biases as in `torch.nn.Linear`."""
        seeds, units, columns = (root_seed, seed), self.hidden_size, self.input_size + self.hidden_size
        bounds = {"h": math.sqrt(6 / (self.backbone + columns)), "P": math.sqrt(6 / (self.backbone + units))}
        weights = uniform(seeds, "W_h", (self.backbone, columns), -bounds["h"], bounds["h"])
        W, U = weights.split([self.input_size, units], 1)
        parameters = {"W_h": W.contiguous(), "U_h": U.contiguous()}
        parameters["b_h"] = uniform(seeds, "b_h", (self.backbone,), -1 / math.sqrt(columns), 1 / math.sqrt(columns))
        bias = 1 / math.sqrt(self.backbone)
        for head in HEADS:
            shape = units, self.backbone
            parameters[f"P_{head}"] = uniform(seeds, f"P_{head}", shape, -bounds["P"], bounds["P"])
            parameters[f"b_{head}"] = uniform(seeds, f"b_{head}", (units,), -bias, bias)
        return parameters

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        k = SCALE * torch.tanh(SLOPE * affine(parameters, "h", state, inputs))
        g, f, a, b = (k @ parameters[f"P_{head}"].mT + parameters[f"b_{head}"] for head in HEADS)
        return torch.lerp(torch.tanh(g), torch.tanh(f), torch.sigmoid(a + b))
