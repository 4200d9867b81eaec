"""A network whose recurrence is dropped as in training: its hidden units under a draw of masks, or without one unit."""

import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells import Cell, Parameters
from learnability.cells.linearization import MASK
from learnability.core.errors import require
from learnability.networks.network import Network, hidden_units


def dropped_hidden_units(
    network: Network, parameters: Parameters, inputs: Float[Tensor, "sequence time input"], generator: torch.Generator
) -> Float[Tensor, "sequence time hidden"]:
    """h_1, …, h_T under one draw of the network's dropout, as in a step of training.

    Args:
        generator: source of all masks.
    """
    cell, regularization, count = network.cell, network.regularization, len(inputs)
    masked_parameters = regularization.of_sequences(cell, cell.prepared(parameters), count, generator)
    state, hidden = cell.initial_state(inputs[:, 0]), []
    for x in inputs.unbind(1):
        state = cell.step(regularization.of_step(cell, masked_parameters, count, generator), state, x)
        hidden.append(cell.output(state))
    return torch.stack(hidden, 1)


def hidden_units_without(
    cell: Cell, parameters: Parameters, inputs: Float[Tensor, "sequence time input"], unit: int
) -> Float[Tensor, "sequence time hidden"]:
    """h_1, …, h_T where recurrent matrices see 0 in place of one unit of h_{t-1}.

    Raises:
        InputError: for a cell without recurrent matrices, or with layers that have units of their own.
    """
    require([*cell.masks] == [MASK], "cell", "of one layer, with recurrent matrices", type(cell).__name__)
    mask = torch.ones_like(inputs[:, 0, :1]).repeat(1, cell.hidden_size)
    mask[:, unit] = 0
    return hidden_units(cell, cell.prepared(parameters) | {MASK: mask}, inputs)
