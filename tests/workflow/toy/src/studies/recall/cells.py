"""The plain recurrent cell, h_t = tanh(W x_t + U h_{t-1} + b): a step and its parameters, nothing else."""

from dataclasses import dataclass

import torch
from torch import Tensor

from learnability.cells import Cell, Parameters
from learnability.cells.cell import candidate_parameters
from learnability.cells.linearization import affine


@dataclass(frozen=True)
class Vanilla(Cell):
    """Cell without a gate."""

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        return candidate_parameters(self, "h", root_seed, seed)

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        return torch.tanh(affine(parameters, "h", state, inputs))
