"""Readouts by ridge regression, W_out = Y Hᵀ (H Hᵀ + λ I)⁻¹, solved and never inverted."""

import numpy as np
from jaxtyping import Float64
from numpy import ndarray
from scipy.linalg import cho_factor, cho_solve, svd

from learnability.core.errors import require

CONDITIONED = 1e-6
"""λ, as a share of the trace of H Hᵀ, from which that may be formed: a condition of at most 10⁶ costs six digits."""


def ridge(
    features: Float64[ndarray, "sample feature"], targets: Float64[ndarray, "sample *output"], penalty: float
) -> Float64[ndarray, "feature *output"]:
    """The w that makes ‖Hᵀ w - y‖² + λ ‖w‖² least; at λ = 0, of all that make ‖Hᵀ w - y‖² least, the shortest.

    By Cholesky's method on H Hᵀ + λ I or, where there are fewer samples than features, on Hᵀ H + λ I; where λ is too
    small for these to be formed without loss, by the singular values σ of H, each with σ/(σ² + λ).

    Args:
        features: Hᵀ.
        penalty: λ, at least 0.

    Raises:
        InputError: for a negative λ.
    """
    require(penalty >= 0, "penalty", "at least 0", penalty)
    samples, count = features.shape
    if penalty < CONDITIONED * (features**2).sum() or not features.any():
        return _by_singular_values(features, targets, penalty)
    wide = samples < count
    gram = features @ features.T if wide else features.T @ features
    gram[np.diag_indices_from(gram)] += penalty
    factor = cho_factor(gram, lower=True, overwrite_a=True, check_finite=False)
    solved: ndarray = cho_solve(factor, targets if wide else features.T @ targets, check_finite=False)
    return features.T @ solved if wide else solved


def _by_singular_values(features: ndarray, targets: ndarray, penalty: float) -> ndarray:
    left, sizes, right = svd(features, full_matrices=False, check_finite=False)
    kept = sizes > np.finfo(float).eps * max(features.shape) * sizes.max(initial=0)
    inverse = np.divide(sizes, sizes**2 + penalty, out=np.zeros_like(sizes), where=kept)
    solved: ndarray = right.T @ (inverse * (left.T @ targets).T).T
    return solved


def fit_readout(
    states: Float64[ndarray, "sequence time unit"],
    targets: Float64[ndarray, "sequence time *output"],
    penalty: float,
    washout: int,
) -> tuple[Float64[ndarray, "unit *output"], Float64[ndarray, "*output"]]:
    """Weights and offset of a readout ŷ_t = W_out h_t + c, the offset not penalised.

    Args:
        penalty: λ, of the sum over sequences and steps of squares about their means.
        washout: steps at the start of each sequence that do not count.

    Raises:
        InputError: for a washout that leaves no step, or a negative λ.
    """
    steps = states.shape[1]
    require(0 <= washout < steps, "washout", f"at least 0 and below the length of a series ({steps})", washout)
    counted, wanted = (np.concatenate(list(each[:, washout:])) for each in (states, targets))
    middle, level = counted.mean(0), wanted.mean(0)
    weights = ridge(counted - middle, wanted - level, penalty)
    return weights, level - middle @ weights
