"""Models of one network differentiated together: each parameter a stack, each operation once for all of them.

For cells that only automatic differentiation knows. A step of a small cell takes as long as the calls that it makes,
so that twelve models take three to four times as long as one, and not twelve times.
"""

from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Bool, Float, Shaped
from torch import Tensor
from torch.func import grad_and_value, vmap

from learnability.cells import Parameters
from learnability.core.errors import require
from learnability.networks.losses import LOSSES
from learnability.networks.network import Network, hidden_units
from learnability.training.engines.engine import Engine
from learnability.training.engines.extras import extras


class StackedEngine(Engine):
    """BPTT by automatic differentiation of all models in one pass, equal to `AutogradEngine` up to rounding.

    Products of a stack round otherwise than those of one model, and by how many there are: the same models together
    give the same numbers, one of them alone others. It takes any cell, readout, loss and mask.

    Raises:
        InputError: for random steps or regularization.
    """

    @classmethod
    def lacks(cls, network: Network, extras: Sequence[str] = ()) -> str:
        return " and ".join(extra for extra in extras if extra != "masks")

    def __init__(self, network: Network, models: Sequence[Parameters]) -> None:
        demands = extras(network, 0, False)
        require(not demands, "network", "without random steps and regularization where models are stacked", demands)
        super().__init__(network, models)
        self._of_all = vmap(grad_and_value(self._loss))

    def losses_and_gradients(
        self,
        inputs: Float[Tensor, "model sequence time input"],
        targets: Shaped[Tensor, "model sequence time ..."],
        masks: Bool[Tensor, "model sequence time"] | None = None,
    ) -> Float[Tensor, "model"]:
        """L of each model, the mean over targets that count; ∂L/∂θ is left in each parameter's `.grad`.

        Args:
            masks: where targets count; None: everywhere.
        """
        stacks = {name: torch.stack([model[name] for model in self.models]) for name in self.models[0]}
        counts = inputs.new_ones(inputs.shape[:3]) if masks is None else masks.to(inputs.dtype)
        gradients, losses = self._of_all(stacks, inputs, targets, counts)
        for place, model in enumerate(self.models):
            for name, parameter in model.items():
                parameter.grad = gradients[name][place]
        return losses.detach()

    def losses_and_states(
        self, inputs: Tensor, targets: Tensor, masks: Tensor | None = None
    ) -> tuple[Float[Tensor, "model"], list[Any]]:
        """`AutogradEngine.losses_and_states` of whole sequences: no state comes out."""
        return self.losses_and_gradients(inputs, targets, masks), []

    def _loss(self, parameters: Parameters, inputs: Tensor, targets: Tensor, counts: Tensor) -> Tensor:
        cell = self.network.cell
        outputs = cell.outputs(parameters, inputs)
        hidden = hidden_units(cell, parameters, inputs) if outputs is None else outputs
        predictions = self.network.read_out(parameters, hidden)
        losses = LOSSES[self.network.loss].each(predictions, targets)
        return (losses * counts).sum() / counts.sum()
