"""Readouts by ridge regression, W_out = Y Hᵀ (H Hᵀ + λ I)⁻¹, solved without an inverse."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Float64
from numpy import ndarray
from scipy.linalg import cho_factor, cho_solve, svd

from learnability.core.errors import require

LEAST_CONDITION = 1e-9
"""λ, as a share of the trace of H Hᵀ, from which that may be formed: a condition of at most 10⁹ leaves a solution seven
digits, and its correction is as near the exact one as what singular values give."""


def ridge(
    features: Float64[ndarray, "sample feature"], targets: Float64[ndarray, "sample *output"], penalty: float
) -> Float64[ndarray, "feature *output"]:
    """The w that makes ‖Hᵀ w - y‖² + λ ‖w‖² least; at λ = 0, of all that make ‖Hᵀ w - y‖² least, the shortest.

    Args:
        features: Hᵀ.
        penalty: λ, at least 0.

    Raises:
        InputError: for a negative λ, or features that are not finite.
    """
    weights: ndarray = ridge_each(features, targets, [penalty])[0]
    return weights


def ridge_each(
    features: Float64[ndarray, "sample feature"],
    targets: Float64[ndarray, "sample *output"],
    penalties: Sequence[float],
) -> Float64[ndarray, "penalty feature *output"]:
    """`ridge` of each of several λ.

    By Cholesky's method on H Hᵀ + λ I or, where there are fewer samples than features, on Hᵀ H + λ I; then the same
    factor solves once for what H itself leaves unexplained (Björck 1987, "Stability analysis of the method of
    seminormal equations"). Where a λ is too small for that, by the singular values σ of H, once for all λ, each with
    σ/(σ² + λ).

    Raises:
        InputError: for no λ or a negative one, or features that are not finite.
    """
    fits = len(penalties) > 0 and bool(np.min(penalties) >= 0)
    require(fits, "penalty", "at least 0", list(penalties) if len(penalties) != 1 else penalties[0])
    size = float(np.vdot(features, features))
    require(bool(np.isfinite(size)), "features", "finite", size)
    small = min(penalties) < LEAST_CONDITION * size or not size
    solve = _by_singular_values if small else _by_cholesky
    return np.stack(solve(features, targets, penalties))


def _by_cholesky(features: ndarray, targets: ndarray, penalties: Sequence[float]) -> list[ndarray]:
    wide = features.shape[0] < features.shape[1]
    gram = features @ features.T if wide else features.T @ features
    right_side, diagonal, solutions = targets if wide else features.T @ targets, gram.diagonal().copy(), []

    def residual(solution: ndarray, penalty: float) -> Any:
        if wide:
            return targets - features @ (features.T @ solution) - penalty * solution
        return features.T @ (targets - features @ solution) - penalty * solution

    for penalty in penalties:
        gram[np.diag_indices_from(gram)] = diagonal + penalty
        factor = cho_factor(gram, lower=True, check_finite=False)
        solution = cho_solve(factor, right_side, check_finite=False)
        solution += cho_solve(factor, residual(solution, penalty), check_finite=False)
        solutions.append(features.T @ solution if wide else solution)
    return solutions


def _by_singular_values(features: ndarray, targets: ndarray, penalties: Sequence[float]) -> list[ndarray]:
    u, sizes, right = svd(features, full_matrices=False, check_finite=False)
    nonzero = sizes > np.finfo(float).eps * max(features.shape) * sizes.max(initial=0)
    projections, solutions = (u.T @ targets).T, []
    for penalty in penalties:
        inverse = np.divide(sizes, sizes**2 + penalty, out=np.zeros_like(sizes), where=nonzero)
        solutions.append(right.T @ (inverse * projections).T)
    return solutions


def fit_readout(
    states: Float64[ndarray, "sequence time unit"],
    targets: Float64[ndarray, "sequence time *output"],
    penalty: float,
    washout: int,
    *,
    bias: bool = True,
) -> tuple[Float64[ndarray, "unit *output"], Float64[ndarray, "*output"]]:
    """Weights and offset of a readout ŷ_t = W_out h_t + c, the offset not penalised.

    Args:
        penalty: λ, of the sum over sequences and steps of squares about their means.
        washout: steps at the start of each sequence that do not count.
        bias: whether there is an offset; c = 0 without, and squares are about 0.

    Raises:
        InputError: for a washout that leaves no step, a negative λ, or states or targets that are not finite.
    """
    weights, offsets = _fit_each(states, targets, [penalty], washout, bias)
    return weights[0], np.asarray(offsets[0])


def choose_readout(
    training: tuple[Float64[ndarray, "sequence time unit"], Float64[ndarray, "sequence time *output"]],
    validation: tuple[Float64[ndarray, "series time unit"], Float64[ndarray, "series time *output"]],
    penalties: Sequence[float],
    washout: int,
    *,
    bias: bool = True,
) -> tuple[int, Float64[ndarray, "penalty"], Float64[ndarray, "unit *output"], Float64[ndarray, "*output"]]:
    """The readout, of several λ, that predicts other series best.

    Args:
        training, validation: states and targets of the series that readouts are fitted to, and of the others.
        penalties, washout, bias: as of `fit_readout`.

    Returns:
        The index of λ, the mean squared error on the other series at each λ, weights and offset.

    Raises:
        InputError: as `fit_readout`.
    """
    _require_washout(washout, validation[0].shape[1])
    states, targets = (array[:, washout:] for array in validation)
    weights, offsets = _fit_each(*training, penalties, washout, bias)
    errors = np.array([((states @ w + c - targets) ** 2).mean() for w, c in zip(weights, offsets, strict=True)])
    best = int(errors.argmin())
    return best, errors, weights[best], np.asarray(offsets[best])


def _fit_each(
    states: ndarray, targets: ndarray, penalties: Sequence[float], washout: int, bias: bool
) -> tuple[ndarray, ndarray]:
    _require_washout(washout, states.shape[1])
    require(bool(np.isfinite(targets[:, washout:]).all()), "targets", "finite", "NaN or infinity")
    features, outputs = (array[:, washout:].reshape(-1, *array.shape[2:]) for array in (states, targets))
    middle, level = (array.mean(0) if bias else np.zeros(array.shape[1:]) for array in (features, outputs))
    weights = ridge_each(features - middle, outputs - level, penalties)
    return weights, np.stack([level - middle @ w for w in weights])


def _require_washout(washout: int, steps: int) -> None:
    require(0 <= washout < steps, "washout", f"at least 0 and below the length of a series ({steps})", washout)
