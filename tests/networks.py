"""Helpers for networks that only tests need."""

from dataclasses import dataclass

import torch

from learnability.cells import CELLS, Cell, Parameters
from learnability.cells.cell import candidate_parameters
from learnability.cells.leaky import LeakyCell
from learnability.cells.linearization import affine

LAYER_NORM = [f"{name}_layer_norm" for name, cell in CELLS.items() if issubclass(cell, LeakyCell)]
"""Cells with layer norm, for the fixture `build`."""


def cell_parameters(parameters: Parameters) -> Parameters:
    """The parameters without the readout's."""
    return {name: tensor for name, tensor in parameters.items() if name not in ("w", "b")}


@dataclass(frozen=True)
class Vanilla(Cell):
    def initial_parameters(self, root_seed, seed):
        return candidate_parameters(self, "h", root_seed, seed)

    def step(self, parameters, state, inputs):
        return torch.tanh(affine(parameters, "h", state, inputs))


@dataclass(frozen=True)
class Remembering(Vanilla):
    """Sees the mean of all its past states: its state is a pair, of which one part grows."""

    def initial_state(self, inputs):
        zero = inputs.new_zeros(len(inputs), self.hidden_size)
        return zero, zero[:, None]

    def step(self, parameters, state, inputs):
        h, past = state
        h = torch.tanh(affine(parameters, "h", h + past.mean(1), inputs))
        return h, torch.cat([past, h[:, None]], 1)

    def output(self, state):
        return state[0]
