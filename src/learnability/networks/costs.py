"""The work of a gradient on any machine and engine: multiply-adds and bytes, by formula and counted.

A step of a sequence multiplies the input by each W, the state by each U, and the state by the readout. Backward, each
of these matrices takes as many multiply-adds for its own gradient, and U and the readout as many again for that of the
state; nothing goes back to the input. Element-wise operations, O(H) a step, are left out.
"""

from typing import NamedTuple

import torch
from jaxtyping import Float, Shaped
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from learnability.cells import Parameters
from learnability.core.errors import require
from learnability.networks.backward import step_costs
from learnability.networks.losses import LOSSES
from learnability.networks.network import Network, hidden_units


class Work(NamedTuple):
    """The work of one step of one sequence.

    Args:
        forward, backward: multiply-adds of matrix products.
        kept: bytes that the forward pass keeps for the backward pass by automatic differentiation, in float32.
    """

    forward: float
    backward: float
    kept: float

    @property
    def multiply_adds(self) -> float:
        """Forward and backward."""
        return self.forward + self.backward


def matrix_work(network: Network) -> tuple[int, int]:
    """Multiply-adds of a step of a sequence by formula, forward and backward.

    Forward Σ|W| + Σ|U| + |w|, backward Σ|W| + 2 Σ|U| + 2 |w|, with |·| the number of entries. Of a cell without
    attention, whose steps multiply by its matrices alone.

    Raises:
        InputError: for a stack of layers, or a cell whose matrices are not W_… and U_….
    """
    require(len(network.cell.layered({})) == 1, "cell", "a single layer", type(network.cell).__name__)
    parameters = network.cell.prepared(network.initial_parameters(0, 0))
    matrices = {name: tensor.numel() for name, tensor in parameters.items() if tensor.ndim == 2 and name not in ("w",)}
    are_named = all(name.startswith(("W_", "U_")) for name in matrices)
    require(are_named, "matrices of a cell", "W_… of inputs and U_… of states", sorted(matrices))
    inputs = sum(size for name, size in matrices.items() if name.startswith("W_"))
    states = sum(size for name, size in matrices.items() if name.startswith("U_")) + parameters["w"].numel()
    return inputs + states, inputs + 2 * states


def count_work(
    network: Network,
    parameters: Parameters,
    inputs: Float[Tensor, "sequence time input"],
    targets: Shaped[Tensor, "sequence time ..."],
) -> Work:
    """The work of a gradient by automatic differentiation, counted as it is done, for any cell.

    Means over steps and sequences: the first step has less to do backward, for nothing goes back to h_0.
    """
    leaves = {name: tensor.detach().float().requires_grad_() for name, tensor in parameters.items()}
    inputs = inputs.float()
    steps = inputs.shape[0] * inputs.shape[1]
    with FlopCounterMode(display=False) as forward:
        hidden = hidden_units(network.cell, leaves, inputs)
        # torch counts products of matrices, and not those with a vector, as a scalar readout is
        as_matrix = hidden @ torch.atleast_2d(leaves["w"]).mT
        predictions = as_matrix if network.outputs else as_matrix[..., 0]
        predictions = predictions + leaves["b"] if network.readout_bias else predictions
        loss = LOSSES[network.loss].each(predictions, targets).mean()
    with FlopCounterMode(display=False) as backward:
        torch.autograd.grad(loss, list(leaves.values()), allow_unused=True)
    (cost,) = step_costs(network, {name: tensor.detach() for name, tensor in leaves.items()}, [(inputs, targets)], 1)
    flops = [counter.get_total_flops() / 2 / steps for counter in (forward, backward)]
    return Work(flops[0], flops[1], cost.kept / steps)
