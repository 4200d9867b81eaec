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
    parameters, torch_parameters = with_gradients(scale), with_gradients(scale)
    assert clip_gradient(parameters, 1.0).equal(torch.nn.utils.clip_grad_norm_(torch_parameters, 1.0))
    pairs = zip(parameters[:-1], torch_parameters, strict=False)
    assert all(parameter.grad.equal(reference.grad) for parameter, reference in pairs)  # type: ignore[union-attr, arg-type]


@pytest.mark.parametrize("scale", [1e19, 1e22, 1e30])
def test_a_finite_gradient_whose_squares_overflow_keeps_its_direction(scale: float) -> None:
    """A large gradient differs from a lost one only so: torch's is 0 here."""
    parameters = with_gradients(scale)
    before = torch.cat([parameter.grad.double().flatten() for parameter in parameters[:-1]])  # type: ignore[union-attr]
    norm = clip_gradient(parameters, 1.0)
    after = torch.cat([parameter.grad.double().flatten() for parameter in parameters[:-1]])  # type: ignore[union-attr]
    assert norm.item() == pytest.approx(before.norm().item(), rel=1e-6)
    assert torch.allclose(after, before / before.norm(), rtol=1e-5, atol=0)


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_a_gradient_that_is_not_finite_is_seen(value: float) -> None:
    parameters = with_gradients(1.0)
    parameters[0].grad[0, 0] = value  # type: ignore[index]
    assert not clip_gradient(parameters, 1.0).isfinite()
