"""IRNN, the recurrent network of rectified units that starts from the identity (Le, Jaitly and Hinton 2015, "A Simple
Way to Initialize Recurrent Networks of Rectified Linear Units", arXiv 1504.00941).

    h_t = max(W_h x_t + U_h h_{t-1} + b_h, 0),      U_h = I, b_h = 0 and W_h ~ N(0, 0.001²) at the start

The distributions that other cells start from are here, too: `normal`, `uniform` and `linear`.
"""

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from learnability.cells.cell import Cell
from learnability.cells.linearization import Parameters, affine
from learnability.core.streams import numpy_generator

Seeds = tuple[int, int]
"""Root seed and seed."""
INPUT_DEVIATION = 0.001
"""Standard deviation of W_h at the start."""


@dataclass(frozen=True)
class IRNN(Cell):
    """h_t = max(W_h x_t + U_h h_{t-1} + b_h, 0).

    Example:
        >>> sorted(IRNN(2, 3).initial_parameters(1, 0))
        ['U_h', 'W_h', 'b_h']
    """

    @property
    def recurrent_matrices(self) -> tuple[str, ...]:
        return ("U_h",)

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """U_h = I, zero b_h, W_h normal with deviation 0.001."""
        return {
            "W_h": normal((root_seed, seed), "W_h", (self.hidden_size, self.input_size), INPUT_DEVIATION),
            "U_h": torch.eye(self.hidden_size, dtype=torch.float64),
            "b_h": torch.zeros(self.hidden_size, dtype=torch.float64),
        }

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        return torch.relu(affine(parameters, "h", state, inputs))


def normal(seeds: Seeds, name: str, shape: tuple[int, ...], deviation: float) -> Tensor:
    """Draw N(0, deviation²) from the initialisation stream of the parameter `name`."""
    return torch.from_numpy(deviation * numpy_generator(*seeds, "initial", name).standard_normal(shape))


def uniform(seeds: Seeds, name: str, shape: tuple[int, ...], low: float, high: float) -> Tensor:
    """Draw U(low, high) from the initialisation stream of the parameter `name`."""
    return torch.from_numpy(np.asarray(numpy_generator(*seeds, "initial", name).uniform(low, high, shape)))


def linear(seeds: Seeds, path: str, outputs: int, inputs: int) -> Parameters:
    """Draw W and b of one path as `torch.nn.Linear` does, U(-1/√inputs, 1/√inputs)."""
    bound = 1 / math.sqrt(inputs)
    shapes: dict[str, tuple[int, ...]] = {f"W_{path}": (outputs, inputs), f"b_{path}": (outputs,)}
    return {name: uniform(seeds, name, shape, -bound, bound) for name, shape in shapes.items()}
