"""The interface of a training engine."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import torch
from jaxtyping import Float, Shaped
from torch import Tensor

from learnability.cells import Parameters
from learnability.networks.network import Network, run

BOUNDARY = 256
"""Bytes. No product is known to look at more of an address."""


def aligned(part: Tensor) -> Tensor:
    """A model's part of a stack, copied if it begins off a boundary, where a product or a sum may round otherwise."""
    return part.clone() if part.storage_offset() * part.element_size() % BOUNDARY else part


class Engine(ABC):
    """Computes the loss of models of one network, and its gradients, by BPTT (paper Sec. 3).

    The engine holds the parameters of each model, reads them afresh at each call and leaves each gradient in `.grad`,
    so that any torch optimiser can drive them. Models share shapes and nothing else: each comes out bit for bit as it
    would alone, whatever the processor. Only of `TorchEngine` on a GPU does that hold no closer than to rounding.
    """

    @classmethod
    def lacks(cls, network: Network, extras: Sequence[str] = ()) -> str:
        """Demands that the engine does not meet, in words; empty if it meets all.

        Args:
            extras: see `learnability.training.engines.extras`.
        """
        if not network.is_scalar:
            return "predictions other than one number" if network.outputs else f"the loss {network.loss}"
        return " and ".join(extras)

    @classmethod
    def fault(cls, network: Network) -> str:
        """The reason why an engine that lacks nothing does not run on this machine; empty if it runs."""
        return ""

    dtypes: ClassVar[tuple[torch.dtype, ...]] = (torch.float32, torch.float64)
    """Types in which the engine computes."""
    devices: ClassVar[tuple[str, ...]] = ("cpu", "cuda")
    """Devices on which the engine computes."""

    def __init__(self, network: Network, models: Sequence[Parameters]) -> None:
        self.network = network
        self.models = list(models)

    @abstractmethod
    def losses_and_gradients(
        self, inputs: Float[Tensor, "model sequence time input"], targets: Shaped[Tensor, "model sequence time ..."]
    ) -> Float[Tensor, "model"]:
        """L = mean over sequences and t of ℓ(ŷ_t, y_t), a model each; ∂L/∂θ is left in each parameter's `.grad`."""

    def states(
        self, inputs: Float[Tensor, "model sequence time input"]
    ) -> Float[Tensor, "model sequence time_and_start state"]:
        """States s_0, s_1, …, s_T of each model, without gradients."""
        pairs = zip(self.models, inputs, strict=True)
        return torch.stack([run(self.network.cell, parameters, aligned(x)) for parameters, x in pairs])


class OneByOneEngine(Engine):
    """An engine that takes its models in turn."""

    def losses_and_gradients(
        self, inputs: Float[Tensor, "model sequence time input"], targets: Shaped[Tensor, "model sequence time ..."]
    ) -> Float[Tensor, "model"]:
        triples = zip(self.models, inputs, targets, strict=True)
        return torch.stack([self._one(parameters, aligned(x), aligned(y)) for parameters, x, y in triples])

    @abstractmethod
    def _one(
        self,
        parameters: Parameters,
        inputs: Float[Tensor, "sequence time input"],
        targets: Shaped[Tensor, "sequence time ..."],
    ) -> Float[Tensor, ""]:
        """Loss of one model; its gradient is left in `.grad`."""
