"""Clipping of a gradient by its global norm."""

from collections.abc import Iterable

import torch
from torch import Tensor
from torch.linalg import vector_norm
from torch.nn.utils import clip_grads_with_norm_, get_total_norm


def clip_gradient(parameters: Iterable[Tensor], largest: float) -> Tensor:
    """Scale a gradient down to a global L2 norm of at most `largest`.

    Does what `torch.nn.utils.clip_grad_norm_` does, digit for digit, but for norms beyond 1.8 · 10¹⁹. Their squares
    overflow single precision, so that torch takes them for infinite and multiplies a finite gradient by 0. Here such a
    norm is taken in double precision.

    Args:
        parameters: with their gradients, which are scaled in place.
        largest: norm that is let through.

    Returns:
        The norm before, infinite or NaN only if the gradient is, or beyond single precision itself.

    Examples:
        >>> weight = torch.zeros(2, requires_grad=True)
        >>> weight.grad = torch.tensor([3e20, 4e20])
        >>> clip_gradient([weight], 1.0), weight.grad
        (tensor(5.0000e+20), tensor([0.6000, 0.8000]))
    """
    weights = list(parameters)
    gradients = [parameter.grad for parameter in weights if parameter.grad is not None]
    norm = get_total_norm(gradients)
    # asking whether it is finite would make a GPU wait
    exact = torch.stack([vector_norm(gradient, dtype=torch.float64) for gradient in gradients]).norm()
    norm = torch.where(norm.isfinite(), norm, exact.to(norm.dtype))
    clip_grads_with_norm_(weights, largest, norm)
    return norm
