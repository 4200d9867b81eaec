"""The oracle: torch's own differentiation of a plain loop over time."""

import torch
from torch import Tensor

from learnability.cells import Parameters
from learnability.training.engines.engine import OneByOneEngine


class AutogradEngine(OneByOneEngine):
    """Slow and obvious; every other engine must agree with it."""

    def _one(self, parameters: Parameters, inputs: Tensor, targets: Tensor) -> Tensor:
        leaves = {name: p.detach().requires_grad_() for name, p in parameters.items()}
        state = inputs.new_zeros(len(inputs), self.network.cell.state_size)
        states = []
        for x in inputs.unbind(1):
            state = self.network.cell.step(leaves, state, x)
            states.append(state)
        loss = (self.network.predict(leaves, torch.stack(states, 1)) - targets).square().mean()
        gradients = torch.autograd.grad(loss, list(leaves.values()), allow_unused=True, materialize_grads=True)
        for parameter, gradient in zip(parameters.values(), gradients, strict=True):
            parameter.grad = gradient
        return loss.detach()
