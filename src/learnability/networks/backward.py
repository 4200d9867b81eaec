"""Norms of the gradient that reaches earlier steps, and the cost of a backward pass."""

import resource
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float, Shaped
from torch import Tensor

from learnability.cells import Parameters
from learnability.core.errors import require
from learnability.networks.losses import LOSSES
from learnability.networks.network import Network, states_of


class StepCost(NamedTuple):
    """Time and memory of a gradient, forward and backward.

    Args:
        steps: T.
        seconds: processor time, the least of the repeats.
        kept: bytes that the forward pass keeps for the backward pass, parameters and inputs left out: exact, and the
            same on every machine.
        peak: largest resident memory so far, in bytes above the memory before the first gradient.
    """

    steps: int
    seconds: float
    kept: int
    peak: int


def hidden_gradient_norms(
    network: Network,
    parameters: Parameters,
    inputs: Float[Tensor, "sequence time input"],
    targets: Shaped[Tensor, "sequence time ..."],
    mask: Bool[Tensor, "sequence time"] | None = None,
) -> Float[Tensor, "sequence time"]:
    """‖∂L/∂h_t‖ of each sequence, L the mean of its losses: along every path, of recurrence and attention.

    For an LSTM it is the gradient with respect to h_t alone, with c_t held. As in Kerg et al. 2020, Sec. 6 and Fig. 2.

    Args:
        parameters: of `network`, in the precision wanted.
        mask: whose losses count; by default all.
    """
    leaves = {name: parameter.detach().requires_grad_() for name, parameter in parameters.items()}
    states = list(states_of(network.cell, leaves, inputs))
    losses = _losses(network, leaves, states, targets)
    weights = torch.ones_like(losses) if mask is None else mask.to(losses)
    means = (losses * weights).sum(1) / weights.sum(1).clamp(min=1)
    carriers = [network.cell.recurrent(state) for state in states]
    gradients = torch.autograd.grad(means.sum(), carriers, allow_unused=True, materialize_grads=True)
    return torch.stack(gradients, 1)[..., : network.cell.hidden_size].norm(dim=-1)


def step_costs(
    network: Network,
    parameters: Parameters,
    batches: Sequence[tuple[Float[Tensor, "sequence _ input"], Shaped[Tensor, "sequence _ ..."]]],
    repeats: int,
) -> list[StepCost]:
    """Measure the cost of a gradient by automatic differentiation, on the CPU, on as many threads as torch has.

    Peaks are of this process: it should have done nothing larger before.

    Args:
        batches: inputs and targets, in the order of T, so that each peak is of its own batch.
        repeats: of each gradient.

    Raises:
        InputError: if T does not increase.
    """
    lengths = [inputs.shape[1] for inputs, _ in batches]
    require(lengths == sorted(set(lengths)), "batches", "of increasing T", lengths)
    leaves = {name: parameter.detach().requires_grad_() for name, parameter in parameters.items()}
    first_inputs, first_targets = batches[0]
    _cost(network, leaves, first_inputs[:, :2], first_targets[:, :2])
    before, costs = _peak(), []
    for inputs, targets in batches:
        memory, seconds = zip(*(_cost(network, leaves, inputs, targets) for _ in range(repeats)), strict=True)
        costs.append(StepCost(inputs.shape[1], min(seconds), memory[0], _peak() - before))
    return costs


def _cost(network: Network, leaves: Parameters, inputs: Tensor, targets: Tensor) -> tuple[int, float]:
    """Bytes kept for the backward pass, each storage counted once, and seconds."""
    argument_storages = {tensor.untyped_storage().data_ptr() for tensor in (*leaves.values(), inputs, targets)}
    storages: dict[int, Tensor] = {}

    def keep(tensor: Tensor) -> Tensor:
        storages.setdefault(tensor.untyped_storage().data_ptr(), tensor.detach())
        return tensor

    began = time.process_time()
    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        loss = _losses(network, leaves, list(states_of(network.cell, leaves, inputs)), targets).mean()
    size = sum(
        tensor.untyped_storage().nbytes() for pointer, tensor in storages.items() if pointer not in argument_storages
    )
    storages.clear()
    torch.autograd.grad(loss, list(leaves.values()), allow_unused=True)
    return size, time.process_time() - began


def _losses(network: Network, leaves: Parameters, states: Sequence[Any], targets: Tensor) -> Tensor:
    """Loss ℓ(ŷ_t, y_t) of each sequence and t."""
    hidden = torch.stack([network.cell.output(state) for state in states], 1)
    return LOSSES[network.loss].each(network.read_out(leaves, hidden), targets)


def _peak() -> int:
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
