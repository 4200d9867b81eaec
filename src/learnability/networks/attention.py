"""The weights with which a network attends to its past states."""

import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells import Parameters
from learnability.cells.attentive import AttentionCell
from learnability.networks.network import states_of


@torch.no_grad()
def attention_map(
    cell: AttentionCell, parameters: Parameters, inputs: Float[Tensor, "sequence time input"]
) -> Float[Tensor, "sequence time time"]:
    """α_{i,t}: entry [:, t - 1, i - 1] is the weight that step t gives to the state of step i; 0 where i is not kept.

    Args:
        parameters: of `cell`, in the precision of the inputs.
    """
    sequences, time, _ = inputs.shape
    weights = inputs.new_zeros(sequences, time, time + 1)  # the first of the last dimension takes empty slots
    before = cell.initial_state(inputs[:, 0])
    for step, state in enumerate(states_of(cell, parameters, inputs), 1):
        alpha, steps = cell.attended(before, state, step)
        weights[:, step - 1].scatter_add_(1, steps.clamp(min=0).expand(sequences, -1), alpha)
        before = state
    return weights[..., 1:]
