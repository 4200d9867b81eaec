"""Helpers for networks that only tests need."""

from dataclasses import dataclass

import torch

from learnability.cells import CELLS, Cell, Parameters
from learnability.cells.cell import candidate_parameters
from learnability.cells.leaky import LeakyCell
from learnability.cells.linearization import affine
from learnability.cells.memory import Attended, FullMemory

LAYER_NORM = [f"{name}_layer_norm" for name, cell in CELLS.items() if issubclass(cell, LeakyCell)]
"""Cells with layer norm, for the fixture `build`."""


def cell_parameters(parameters: Parameters) -> Parameters:
    """The parameters without the readout's."""
    return {name: tensor for name, tensor in parameters.items() if name not in ("w", "b")}


def build_cell(kind, units=4, **settings):
    """A cell of 3 inputs."""
    defaults = {key: 0.4 for key in ("gate_init", "gate_value") if key in kind.__dataclass_fields__}
    return kind(3, units, **defaults | settings)


def random_parameters(cell, normal):
    """Parameters of a cell or of a network about its initial ones."""
    return {name: p + 0.5 * normal(*p.shape) for name, p in cell.initial_parameters(1, 0).items()}


class Blind(FullMemory):
    def attend(self, memory, query, v):
        return Attended(torch.zeros_like(query), query[:, :0], memory)


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
