"""Appendix A: a product of perturbed matrices to first order.

    F(ε) = Π_j (A_j + ε B_j) = F(0) + ε F'(0) + O(ε²),      F'(0) = Σ_m (Π_{j>m} A_j) B_m (Π_{j<m} A_j)      Eq. 51

later steps to the left, as in M_{t,ℓ} = J_t … J_{t-ℓ+1} (Eq. 3); Eq. 50 has the same sum in the other order. The paper
uses it at ε = 1, with A_j the retention and B_j the mixing of a step, where O(ε²) promises nothing: `error_by_lag`.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float64
from torch import Tensor

from learnability.cells import GATED, JacobianSplit
from learnability.stats.fits import fit_line
from studies.learnability_window.theory.random_networks import random_cell, random_trajectory

STEPS = 32
"""Factors in a product."""
EPSILONS = np.geomspace(1e-4, 1, 17)
ASYMPTOTIC = 0.01
"""ε up to which the order is read off."""


def first_order(
    A: Float64[Tensor, "step n n"], B: Float64[Tensor, "step n n"]
) -> tuple[Float64[Tensor, "n n"], Float64[Tensor, "n n"]]:
    """F(0) and F'(0) of Eq. 51, by the product rule, a step at a time.

    Args:
        A, B: factors A_j + ε B_j, j = 1 first, which ends up on the right.
    """
    zeroth, first = torch.eye(A.shape[-1], dtype=A.dtype), torch.zeros_like(A[0])
    for a, b in zip(A, B, strict=True):
        zeroth, first = a @ zeroth, a @ first + b @ zeroth
    return zeroth, first


def product(factors: Float64[Tensor, "step n n"]) -> Float64[Tensor, "n n"]:
    """The product, later steps to the left."""
    result = torch.eye(factors.shape[-1], dtype=factors.dtype)
    for factor in factors:
        result = factor @ result
    return result


def expansion_error(A: Float64[Tensor, "step n n"], B: Float64[Tensor, "step n n"], epsilon: float) -> float:
    """‖F(ε) - F(0) - ε F'(0)‖ / ‖F(ε)‖, Frobenius norms."""
    whole = product(A + epsilon * B)
    zeroth, first = first_order(A, B)
    return float((whole - zeroth - epsilon * first).norm() / whole.norm())


def error_by_order(splits: dict[str, JacobianSplit], epsilons: Sequence[float]) -> pd.DataFrame:
    """The error over ε, and its order: the slope in log-log over ε ≤ 0.01, 2 if Eq. 51 holds.

    Args:
        splits: one-step Jacobians of a window by the name of the cell, over (step).

    Returns:
        A row for each cell and ε: `cell`, `epsilon`, `error`, `order`.
    """
    tables = []
    for name, (retention, mixing) in splits.items():
        errors = np.array([expansion_error(retention, mixing, float(epsilon)) for epsilon in epsilons])
        small = np.asarray(epsilons) <= ASYMPTOTIC
        order = fit_line(np.log(np.asarray(epsilons)[small]), np.log(errors[small])).slope
        tables.append(pd.DataFrame({"cell": name, "epsilon": epsilons, "error": errors, "order": order}))
    return pd.concat(tables, ignore_index=True)


def error_by_lag(splits: dict[str, JacobianSplit]) -> pd.DataFrame:
    """The error at ε = 1, where the paper uses the expansion, for windows that end with the last step.

    Returns:
        A row for each cell and lag: `cell`, `lag`, `error`.
    """
    rows = [
        {"cell": name, "lag": lag, "error": expansion_error(retention[-lag:], mixing[-lag:], 1.0)}
        for name, (retention, mixing) in splits.items()
        for lag in range(1, len(retention) + 1)
    ]
    return pd.DataFrame(rows)


def random_splits(generator: np.random.Generator) -> dict[str, JacobianSplit]:
    """J_t of `STEPS` steps on a random trajectory of each cell at random weights."""
    splits = {}
    for name, kind in GATED.items():
        cell, parameters = random_cell(name, generator)
        states, inputs = random_trajectory(cell, parameters, 1, 2 * STEPS, generator)
        splits[kind.__name__] = cell.linearize(parameters, states[0, STEPS:], inputs[0, STEPS:]).split()
    return splits


def compute(generator: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Tables `orders` and `lags`."""
    splits = random_splits(generator)
    return {"orders": error_by_order(splits, EPSILONS.tolist()), "lags": error_by_lag(splits)}
