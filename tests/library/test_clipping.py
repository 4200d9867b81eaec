"""Clipping by the global norm, beside torch's and beside double precision."""

import pytest
import torch
from torch import Tensor

from learnability.training.clipping import clip_gradient


def with_gradients(scale: float) -> list[Tensor]:
    generator = torch.Generator().manual_seed(0)
    parameters = [torch.zeros(size, requires_grad=True) for size in ((3, 4), (5,), ())]
    for parameter in parameters:
        parameter.grad = scale * torch.randn(parameter.shape, generator=generator)
    return [*parameters, torch.zeros(2, requires_grad=True)]  # the last one has no gradient


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e10])
def test_it_is_torchs_digit_for_digit_below_the_overflow(scale: float) -> None:
    own, other = with_gradients(scale), with_gradients(scale)
    assert clip_gradient(own, 1.0).equal(torch.nn.utils.clip_grad_norm_(other, 1.0))
    assert all(one.grad.equal(two.grad) for one, two in zip(own[:-1], other, strict=False))  # type: ignore[union-attr, arg-type]


@pytest.mark.parametrize("scale", [1e19, 1e22, 1e30])
def test_a_finite_gradient_whose_squares_overflow_keeps_its_direction(scale: float) -> None:
    """Only this tells a gradient that is large from one that is lost: torch's is 0 here."""
    own = with_gradients(scale)
    before = torch.cat([each.grad.double().flatten() for each in own[:-1]])  # type: ignore[union-attr]
    norm = clip_gradient(own, 1.0)
    after = torch.cat([each.grad.double().flatten() for each in own[:-1]])  # type: ignore[union-attr]
    assert norm.item() == pytest.approx(before.norm().item(), rel=1e-6)
    assert torch.allclose(after, before / before.norm(), rtol=1e-5, atol=0)


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_a_gradient_that_is_not_finite_is_seen(value: float) -> None:
    own = with_gradients(1.0)
    own[0].grad[0, 0] = value  # type: ignore[index]
    assert not clip_gradient(own, 1.0).isfinite()
