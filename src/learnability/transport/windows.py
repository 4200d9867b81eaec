"""First-order transport over a window, as a product of dual numbers.

With a_t the diagonal retention and d_t the diagonal of the remaining terms of J_t, and ε² = 0,

    γ⁰_{t,ℓ} + ε γ¹_{t,ℓ} = Π_{j=t-ℓ+1}^{t} (a_j + ε d_j)

so γ⁰ = Π a_j and γ¹ = Σ_p (Π_{j≠p} a_j) d_p: the zeroth and first order of Eq. 51, kept on the diagonal (Appendix B).
No division by a_j: the product stays exact when a gate closes. It is associative, hence composed by doubling.
Everything here is float64: at 0.3 a step a float32 product is 0 after 86 steps.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import torch
from jaxtyping import Float64, Int64
from torch import Tensor

from learnability.cells import JacobianDiagonals
from learnability.errors import require


class Window(NamedTuple):
    """γ⁰ and γ¹ of windows of one length."""

    zeroth: Float64[Tensor, "... end unit"]
    first: Float64[Tensor, "... end unit"]


def compose(later: Window, earlier: Window) -> Window:
    """The product of two adjacent windows: (γ⁰ + ε γ¹)(γ⁰' + ε γ¹') with ε² = 0."""
    return Window(
        later.zeroth * earlier.zeroth,
        torch.addcmul(later.zeroth * earlier.first, later.first, earlier.zeroth),
    )


def windows(
    diagonals: JacobianDiagonals, lags: Sequence[int], ends: Int64[Tensor, "end"] | None = None
) -> Iterator[tuple[int, Window]]:
    """Yield, for each lag ℓ, the windows ending at t = ℓ, …, T: entry `[..., i, :]` is t = ℓ + i; or at given t.

    Args:
        diagonals: a_t and d_t for t = 1, …, T, each (..., time, unit), float64.
        lags: increasing, in [1, T].
        ends: the t at which windows end, at least the largest lag; without it, all of them.

    Each lag extends the one before by a window of their difference, itself composed by doubling:
    all lags of an even grid cost one short pass over (time, unit) each.

    Raises:
        InputError: if the lags do not increase or exceed T, or the factors are not float64.
    """
    require(diagonals.retention.dtype == torch.float64, "diagonals", "float64", diagonals.retention.dtype)
    time = diagonals.retention.shape[-2]
    check_lags(lags, time)
    single = Window(diagonals.retention, diagonals.mixing)
    steps: dict[int, Window] = {1: single}
    reached, window = 0, None
    for lag in lags:
        step = _power(steps, lag - reached)
        if ends is not None:
            step = Window(step.zeroth[..., ends - lag, :], step.first[..., ends - lag, :])
            window = step if window is None else compose(window, step)
        else:
            window = step if window is None else _extend(window, step, reached)
        reached = lag
        yield lag, window


def check_lags(lags: Sequence[int], time: int) -> None:
    """Raise `InputError` unless lags increase strictly within [1, time]."""
    increasing = all(a < b for a, b in pairwise(lags))
    require(len(lags) > 0 and increasing, "lags", "strictly increasing and at least one", list(lags))
    require(lags[0] >= 1 and lags[-1] <= time, "lags", f"in [1, {time}]", [lags[0], lags[-1]])


def _extend(later: Window, earlier: Window, length: int) -> Window:
    """Windows of `later` (that many steps long) prolonged into the past by those of `earlier`."""
    count = earlier.zeroth.shape[-2] - length
    ends = slice(later.zeroth.shape[-2] - count, None)
    return compose(
        Window(later.zeroth[..., ends, :], later.first[..., ends, :]),
        Window(earlier.zeroth[..., :count, :], earlier.first[..., :count, :]),
    )


def _power(steps: dict[int, Window], length: int) -> Window:
    """Windows of `length` steps, by doubling; `steps` remembers those already made."""
    if length not in steps:
        half = length // 2
        steps[length] = _extend(_power(steps, length - half), _power(steps, half), length - half)
    return steps[length]
