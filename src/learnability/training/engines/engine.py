"""The interface of a training engine."""

from abc import ABC, abstractmethod
from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells import Parameters
from learnability.network import Network


class Engine(ABC):
    """Computes the mean squared error of a network and its gradient by BPTT (paper Sec. 3).

    The engine holds `parameters`, reads them afresh at each call and leaves each gradient in `.grad`,
    so that any torch optimiser can drive it.
    """

    dtypes: ClassVar[tuple[torch.dtype, ...]] = (torch.float32, torch.float64)
    """What it computes in."""

    def __init__(self, network: Network, parameters: Parameters) -> None:
        self.network = network
        self.parameters = parameters

    @abstractmethod
    def loss_and_gradient(
        self, inputs: Float[Tensor, "sequence time input"], targets: Float[Tensor, "sequence time"]
    ) -> Float[Tensor, ""]:
        """L = mean over sequences and t of (ŷ_t - y_t)²; ∂L/∂θ is left in each parameter's `.grad`."""
