"""exp(A) with a cheap gradient.

    exp(A) = T(A / 2^s)^(2^s),      T(B) = Σ_{k ≤ 12} B^k / k!,      ‖A / 2^s‖₁ ≤ θ

by 5 + s products (Paterson and Stockmeyer 1973), which automatic differentiation takes back by twice as many. The
gradient of `torch.matrix_exp` is an exponential of twice the size: eight times the work of its value.
"""

import math

import torch
from jaxtyping import Float
from torch import Tensor

LARGEST_NORM = {torch.float32: 1.461661507209034, torch.float64: 2.996158913811580e-01}
"""θ: up to there T is exp to the precision of numbers (Bader, Blanes and Casas 2019, Table 1)."""
COEFFICIENTS = [[1 / math.factorial(4 * block + power) for power in range(4)] for block in range(3)]


def matrix_exponential(A: Float[Tensor, "row row"]) -> Float[Tensor, "row row"]:
    """exp(A); not finite where A is not."""
    norm = A.detach().abs().sum(0).max().item()
    is_large = LARGEST_NORM[A.dtype] < norm < math.inf
    squarings = math.ceil(math.log2(norm / LARGEST_NORM[A.dtype])) if is_large else 0
    B = A / 2**squarings
    square = B @ B
    powers = torch.stack([torch.eye(len(A), dtype=A.dtype), B, square, square @ B])
    fourth = square @ square
    low, middle, high = torch.tensordot(A.new_tensor(COEFFICIENTS), powers, 1)
    result = low + fourth @ (middle + fourth @ (high + fourth / math.factorial(12)))
    for _ in range(squarings):
        result = result @ result
    return result
