"""Losses of single predictions: ℓ(ŷ_t, y_t), a number for each target."""

from abc import ABC, abstractmethod

import torch
from jaxtyping import Bool, Float, Float64, Int64, Shaped
from torch import Tensor


class Loss(ABC):
    """A cost of single predictions."""

    @abstractmethod
    def each(self, predictions: Float[Tensor, "..."], targets: Shaped[Tensor, "..."]) -> Float[Tensor, "..."]:
        """ℓ for each target, over (sequence, time)."""

    @abstractmethod
    def gradient(self, predictions: Float[Tensor, "..."], targets: Shaped[Tensor, "..."]) -> Float[Tensor, "..."]:
        """∂ℓ/∂ŷ."""

    @abstractmethod
    def baseline(self, targets: Shaped[Tensor, "..."]) -> float:
        """The mean ℓ of the best prediction that is the same for all targets."""

    def sum(self, predictions: Float[Tensor, "..."], targets: Shaped[Tensor, "..."]) -> Float64[Tensor, ""]:
        """Σ ℓ in double precision."""
        return self.each(predictions, targets).double().sum()


class SquaredError(Loss):
    """(ŷ - y)², of vectors ‖ŷ - y‖²; its baseline is the variance."""

    def each(self, predictions: Tensor, targets: Tensor) -> Tensor:
        squares = (predictions - targets).square()
        return squares.sum(-1) if squares.dim() > 2 else squares

    def gradient(self, predictions: Tensor, targets: Tensor) -> Tensor:
        return 2 * (predictions - targets)

    def sum(self, predictions: Tensor, targets: Tensor) -> Tensor:
        return (predictions - targets).double().square().sum()

    def baseline(self, targets: Tensor) -> float:
        values = targets.double()
        return (
            values.flatten(0, 1).var(0, correction=0).sum() if values.dim() > 2 else values.var(correction=0)
        ).item()


class CrossEntropy(Loss):
    """-log softmax(ŷ)_y of a class y; its baseline is the entropy of how often classes come."""

    def each(self, predictions: Tensor, targets: Tensor) -> Tensor:
        return torch.nn.functional.cross_entropy(predictions.movedim(-1, 1), targets, reduction="none")

    def gradient(self, predictions: Tensor, targets: Tensor) -> Tensor:
        shares = torch.softmax(predictions, -1)
        return shares - torch.nn.functional.one_hot(targets, shares.shape[-1])

    def baseline(self, targets: Tensor) -> float:
        shares = torch.bincount(targets.flatten()).double() / targets.numel()
        return -torch.special.xlogy(shares, shares).sum().item()


LOSSES: dict[str, Loss] = {"squared_error": SquaredError(), "cross_entropy": CrossEntropy()}
"""Losses by the name that a task gives."""


def hits(
    predictions: Float[Tensor, "sequence time class"],
    targets: Int64[Tensor, "sequence time"],
    scored: Bool[Tensor, "sequence time"],
) -> Int64[Tensor, ""]:
    """Number of scored targets that are the class of the highest score."""
    return ((predictions.argmax(-1) == targets) & scored).sum()
