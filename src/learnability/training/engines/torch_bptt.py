"""Hand-written BPTT in torch, without a compiler, for models of one network side by side.

Why it is fast: buffers, and views of each of their steps, made once; one product a step for all paths that see h_{t-1};
all that does not depend on the carried gradient, and the weight gradients, in blocks of steps that stay in cache.

With a_t the pre-activations, a row for each unit of each path, δ_t = ∂L/∂a_t and G_t = ∂L/∂h_t in full,

    a_t = [W b] [x_t; 1] + U h_{t-1},      ∂L/∂[W b] = Σ_t δ_t [x_t; 1]ᵀ,      ∂L/∂U = Σ_t δ_t h_{t-1}ᵀ

and what lies between a_t and h_t, and between G_t, δ_t and G_{t-1}, is the `Recurrence` of a cell (recurrences.py).
"""

from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells import Parameters, for_cell, lacked_cell
from learnability.networks.network import Network
from learnability.training.engines.engine import Engine
from learnability.training.engines.recurrences import RECURRENCES


class TorchEngine(Engine):
    """Hand-written BPTT for all five cells: one model after the other on the CPU, all in each product on a GPU.

    A call waits for nothing and branches on no number, so that a CUDA graph can capture it.

    Raises:
        InputError: for another cell.
    """

    @classmethod
    def lacks(cls, network: Network, extras: Sequence[str] = ()) -> str:
        absent = lacked_cell(network.cell, RECURRENCES)
        return f"the cell {absent}" if absent else super().lacks(network, extras)

    def __init__(self, network: Network, models: Sequence[Parameters]) -> None:
        self._recurrence_of_cell = for_cell("torch", network.cell, RECURRENCES)
        super().__init__(network, models)
        self._layout: tuple[object, ...] = ()

    def losses_and_gradients(
        self, inputs: Float[Tensor, "model sequence time input"], targets: Float[Tensor, "model sequence time"]
    ) -> Float[Tensor, "model"]:
        if not inputs.is_cpu:
            return self.together(self.models, inputs, targets)
        triples = zip(self.models, inputs.split(1), targets.split(1), strict=True)
        return torch.cat([self.together([model], x, y) for model, x, y in triples])

    def together(
        self,
        models: Sequence[Parameters],
        inputs: Float[Tensor, "model sequence time input"],
        targets: Float[Tensor, "model sequence time"],
    ) -> Float[Tensor, "model"]:
        """`losses_and_gradients` of some models, all in each product; how many there are shows in the rounding."""
        if len(models) == 1:
            inputs, targets = inputs[0], targets[0]
        layout = (*inputs.shape, inputs.dtype, inputs.device)
        if self._layout != layout:
            self._recurrence = self._recurrence_of_cell(self.network.cell, inputs)
            self._layout = layout
        recurrence, paths = self._recurrence, self._recurrence.paths
        inward = [[torch.cat([p[f"W_{k}"], p[f"b_{k}"][:, None]], 1) for k in paths] for p in models]
        weights = stack([torch.cat(paths_of_model) for paths_of_model in inward])
        recurrent = stack([torch.cat([p[f"U_{k}"] for k in paths]) for p in models])
        readout = stack([p["w"] for p in models])
        states = recurrence.forward(inputs, weights, recurrent)
        errors = (states.flatten(-3, -2) @ readout[..., None]).view(states.shape[:-1])
        if self.network.readout_bias:
            errors += stack([p["b"] for p in models])[..., None, None]
        errors -= targets.mT
        output_gradient = errors * (2 / errors.shape[-2:].numel())
        recurrence.backward(output_gradient, recurrent, readout)
        self._set_gradients(models, output_gradient, states)
        return errors.square().mean((-2, -1)).view(-1)

    def _set_gradients(self, models: Sequence[Parameters], output_gradient: Tensor, states: Tensor) -> None:
        """Leave ∂L/∂θ in each parameter's `.grad`."""
        of_readout = states.flatten(-3, -2).mT @ output_gradient.flatten(-2)[..., None]
        of_bias = output_gradient.sum((-2, -1))
        sizes, paths = list(self._recurrence.paths.values()), self._recurrence.paths
        for model, p in enumerate(models):
            at: Any = model if len(models) > 1 else ...
            of_weights = self._recurrence.weights_gradient[at].split(sizes)
            of_recurrent = self._recurrence.recurrent_gradient[at].split(sizes)
            for k, inward, around in zip(paths, of_weights, of_recurrent, strict=True):
                p[f"W_{k}"].grad, p[f"b_{k}"].grad = inward[:, :-1].contiguous(), inward[:, -1].contiguous()
                p[f"U_{k}"].grad = around
            p["w"].grad = of_readout[at][..., 0]
            if self.network.readout_bias:
                p["b"].grad = of_bias[at]


def stack(parts: Sequence[Tensor]) -> Tensor:
    """Parts with a model axis if there are several."""
    return torch.stack(list(parts)) if len(parts) > 1 else parts[0]
