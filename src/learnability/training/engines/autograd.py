"""Torch's own differentiation of a plain loop over time: the oracle, and the engine of all that others lack."""

from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Bool, Float, Shaped
from torch import Tensor
from torch.utils._pytree import tree_map

from learnability.cells import Parameters
from learnability.networks.losses import LOSSES
from learnability.networks.network import Network
from learnability.training.engines.engine import OneByOneEngine, aligned


class AutogradEngine(OneByOneEngine):
    """Slow and obvious; every other engine must agree with it. It takes any cell, state, readout and loss."""

    @classmethod
    def lacks(cls, network: Network, extras: Sequence[str] = ()) -> str:
        return ""

    def losses_and_states(
        self,
        inputs: Float[Tensor, "model sequence time input"],
        targets: Shaped[Tensor, "model sequence time ..."],
        masks: Bool[Tensor, "model sequence time"] | None = None,
        states: Sequence[Any] | None = None,
        generators: Sequence[torch.Generator] | None = None,
    ) -> tuple[Float[Tensor, "model"], list[Any]]:
        """L of each model and the state behind the last step; ∂L/∂θ is left in each parameter's `.grad`.

        Args:
            masks: where targets count; L is the mean of ℓ over these.
            states: as of an earlier call, for the segment before: its gradient does not go back there. What the cell
                carries of them is what the first step starts from.
            generators: of each model, what its steps draw from where they are random.
        """
        losses, last = [], []
        for model, (parameters, x, y) in enumerate(zip(self.models, inputs, targets, strict=True)):
            start = None if states is None else states[model]
            generator = None if generators is None else generators[model]
            mask = None if masks is None else masks[model]
            loss, state = self._differentiate(parameters, aligned(x), aligned(y), mask, start, generator)
            losses.append(loss)
            last.append(state)
        return torch.stack(losses), last

    def _one(self, parameters: Parameters, inputs: Tensor, targets: Tensor) -> Tensor:
        return self._differentiate(parameters, inputs, targets)[0]

    def _differentiate(
        self,
        parameters: Parameters,
        inputs: Tensor,
        targets: Tensor,
        mask: Tensor | None = None,
        state: Any = None,
        generator: torch.Generator | None = None,
    ) -> tuple[Tensor, Any]:
        leaves = {name: p.detach().requires_grad_() for name, p in parameters.items()}
        cell, hidden = self.network.cell, []
        prepared = cell.prepared(leaves)
        state = cell.initial_state(inputs[:, 0]) if state is None else cell.carried(state)
        for x in inputs.unbind(1):
            noise = () if generator is None else (generator,)
            state = (cell.noisy_step if noise else cell.step)(prepared, state, x, *noise)
            hidden.append(cell.output(state))
        each = LOSSES[self.network.loss].each(self.network.read_out(leaves, torch.stack(hidden, 1)), targets)
        loss = each.mean() if mask is None else each[mask].sum() / mask.sum().clamp(min=1)
        gradients = torch.autograd.grad(loss, list(leaves.values()), allow_unused=True, materialize_grads=True)
        for parameter, gradient in zip(parameters.values(), gradients, strict=True):
            parameter.grad = gradient
        return loss.detach(), tree_map(lambda part: part.detach(), state)
