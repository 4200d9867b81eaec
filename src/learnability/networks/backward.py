"""What arrives of a gradient at earlier steps, and what a backward pass costs."""

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
from learnability.networks.network import Network


class StepCost(NamedTuple):
    """Of a gradient: what it takes forward and backward.

    Args:
        steps: T.
        seconds: processor time, the least of the repeats.
        kept: bytes that the forward pass keeps for the backward pass, parameters and inputs left out: exact, and the
            same on every machine.
        peak: bytes of resident memory, the most so far above that before the first.
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

    Of an LSTM it is the gradient of h_t alone, with c_t held.

    Args:
        parameters: of `network`, in the precision wanted.
        mask: whose losses count; by default all.
    """
    leaves = {name: parameter.detach().requires_grad_() for name, parameter in parameters.items()}
    states: list[Tensor] = []
    losses = _losses(network, leaves, inputs, targets, states)
    counted = torch.ones_like(losses) if mask is None else mask.to(losses)
    means = (losses * counted).sum(1) / counted.sum(1).clamp(min=1)
    found = torch.autograd.grad(means.sum(), states, allow_unused=True, materialize_grads=True)
    return torch.stack(found, 1)[..., : network.cell.hidden_size].norm(dim=-1)


def step_costs(
    network: Network,
    parameters: Parameters,
    batches: Sequence[tuple[Float[Tensor, "sequence _ input"], Shaped[Tensor, "sequence _ ..."]]],
    repeats: int,
) -> list[StepCost]:
    """What a gradient by automatic differentiation costs, on the CPU, on as many threads as torch has.

    Peaks are of this process: it should have done nothing larger before.

    Args:
        batches: inputs and targets, in the order of T, so that each peak is that of its own batch.
        repeats: of each gradient.

    Raises:
        InputError: if T does not increase.
    """
    lengths = [inputs.shape[1] for inputs, _ in batches]
    require(lengths == sorted(set(lengths)), "batches", "of increasing T", lengths)
    leaves = {name: parameter.detach().requires_grad_() for name, parameter in parameters.items()}
    short = tuple(each[:, :2] for each in batches[0])
    _cost(network, leaves, *short)
    before, found = _peak(), []
    for inputs, targets in batches:
        kept, seconds = zip(*(_cost(network, leaves, inputs, targets) for _ in range(repeats)), strict=True)
        found.append(StepCost(inputs.shape[1], min(seconds), kept[0], _peak() - before))
    return found


def _cost(network: Network, leaves: Parameters, inputs: Tensor, targets: Tensor) -> tuple[int, float]:
    known = {each.untyped_storage().data_ptr() for each in (*leaves.values(), inputs, targets)}
    kept: dict[int, Tensor] = {}

    def keep(tensor: Tensor) -> Tensor:
        kept.setdefault(tensor.untyped_storage().data_ptr(), tensor.detach())
        return tensor

    began = time.process_time()
    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        loss = _losses(network, leaves, inputs, targets, []).mean()
    size = sum(each.untyped_storage().nbytes() for pointer, each in kept.items() if pointer not in known)
    kept.clear()
    torch.autograd.grad(loss, list(leaves.values()), allow_unused=True)
    return size, time.process_time() - began


def _losses(network: Network, leaves: Parameters, inputs: Tensor, targets: Tensor, states: list[Any]) -> Tensor:
    """ℓ(ŷ_t, y_t); the recurrent part of each state is appended to `states`."""
    cell, hidden = network.cell, []
    prepared, state = cell.prepared(leaves), cell.initial_state(inputs[:, 0])
    for x in inputs.unbind(1):
        state = cell.step(prepared, state, x)
        states.append(cell.recurrent(state))
        hidden.append(cell.output(state))
    return LOSSES[network.loss].each(network.read_out(leaves, torch.stack(hidden, 1)), targets)


def _peak() -> int:
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
