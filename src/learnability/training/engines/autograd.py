"""Torch's own differentiation of a plain loop over time: the oracle, and the engine of all that others lack."""

from collections.abc import Sequence
from functools import partial
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

        What the network's regularization adds to L is in the gradient, and not in the loss that is returned.

        Args:
            masks: where targets count; L is the mean of ℓ over these.
            states: as of an earlier call, for the segment before: its gradient does not go back there. What the cell
                carries of them is what the first step starts from.
            generators: of each model, what its steps and its dropout draw from where they are random; without these
                there is no dropout.
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
        cell, regularization, hidden, factors = self.network.cell, self.network.regularization, [], []
        weights = cell.prepared(leaves)
        step = partial(cell.noisy_step, generator=generator) if generator and cell.is_noisy else cell.step
        if generator and regularization.is_random:
            weights = regularization.of_sequences(cell, weights, len(inputs), generator)
        state = cell.initial_state(inputs[:, 0]) if state is None else cell.carried(state)
        for x in inputs.unbind(1):
            p = regularization.of_step(cell, weights, len(inputs), generator) if generator else weights
            state = step(p, state, x)
            hidden.append(cell.output(state))
            factors += [p[name] for name in [*cell.masks][-1:] if name in p]
        h = torch.stack(hidden, 1)
        losses = LOSSES[self.network.loss].each(self.network.read_out(leaves, h), targets)
        loss = losses.mean() if mask is None else losses[mask].sum() / mask.sum().clamp(min=1)
        objective = loss
        if regularization.penalises:
            objective = loss + regularization.penalty(h, torch.stack(factors, 1) if factors else None)
        gradients = torch.autograd.grad(objective, list(leaves.values()), allow_unused=True, materialize_grads=True)
        for parameter, gradient in zip(parameters.values(), gradients, strict=True):
            parameter.grad = gradient
        return loss.detach(), tree_map(lambda part: part.detach(), state)
