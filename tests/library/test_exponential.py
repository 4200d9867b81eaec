import pytest
import torch

from learnability.cells.exponential import matrix_exponential


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-12), (torch.float32, 3e-6)])
@pytest.mark.parametrize("size", [0.0, 0.01, 0.3, 1.0, 5.0])
def test_the_exponential_and_its_gradient_are_those_of_torch(normal, size, dtype, tolerance):
    A, weights = size * normal(12, 12), normal(12, 12)
    A = A - A.mT
    results = []
    for exponential, number in ((matrix_exponential, dtype), (torch.matrix_exp, torch.float64)):
        leaf = A.to(number).requires_grad_()
        U = exponential(leaf)
        results.append((U.double(), *torch.autograd.grad((U * weights.to(number)).sum(), leaf)))
    for result, reference in zip(*results, strict=True):
        assert (result - reference).norm() <= tolerance * max(1, size) * reference.norm()


def test_the_exponential_of_what_is_not_finite_is_not_either():
    for bad in (torch.nan, torch.inf):
        assert not matrix_exponential(torch.full((3, 3), bad)).isfinite().any()
