"""First-order transport over a window, as a product of dual numbers.

With a_t the diagonal retention and d_t the diagonal of the remaining terms of J_t, and ε² = 0,

    γ⁰_{t,ℓ} + ε γ¹_{t,ℓ} = Π_{j=t-ℓ+1}^{t} (a_j + ε d_j)

so γ⁰ = Π a_j and γ¹ = Σ_p (Π_{j≠p} a_j) d_p: the zeroth and first order of Eq. 51, kept on the diagonal (Appendix B).
No division by a_j: the product stays exact when a gate closes. It is associative, hence composed by doubling.
Everything here is float64: at 0.3 a step a float32 product is 0 after 86 steps.

The LSTM's windows lead from c_{t-ℓ} to h_t (Eqs. 12-13): a mixing event needs an h, so none can be the first step, and
the last step alone expresses c_t as h_t. With e_t the expression and k_t the diagonal of the output path,

    γ⁰ + ε γ¹ = (e_t f_t + ε (e_t d_t + k_t e_{t-1})) Π_{j=t-ℓ+2}^{t-1} (f_j + ε d_j) f_{t-ℓ+1}

with d_j = diag C_j ⊙ e_{j-1}; at lag 1, e_t f_t alone.

For the GRU, Eq. 26 adds two products of gates to γ⁰ + γ¹,

    ρ⁰_{t,ℓ} = Π r_j,      η⁰_{t,ℓ} = Π (1 - z_j) r_j = γ⁰ ρ⁰

though the expansion has no such terms: the sum is 3 at lag 0, and stays above 1 where r is near 1.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import torch
from jaxtyping import Float64, Int64
from torch import Tensor

from learnability.cells import Diagonals
from learnability.core.errors import require


class Window(NamedTuple):
    """γ⁰, γ¹ and, under Eq. 26, ρ⁰ of windows of one length."""

    zeroth: Float64[Tensor, "... end unit"]
    first: Float64[Tensor, "... end unit"]
    reset: Float64[Tensor, "... end unit"] | None = None

    @property
    def strict(self) -> Float64[Tensor, "... end unit"]:
        """γ⁰ + γ¹."""
        return self.zeroth + self.first

    @property
    def reset_retention(self) -> Float64[Tensor, "... end unit"]:
        """η⁰; 0 without a reset gate."""
        return torch.zeros_like(self.zeroth) if self.reset is None else self.zeroth * self.reset

    @property
    def rates(self) -> Float64[Tensor, "... end unit"]:
        """μ_{t,ℓ} / μ: γ⁰ + γ¹, and with a reset gate + ρ⁰ + η⁰ (Eq. 26)."""
        return self.strict if self.reset is None else self.strict + self.reset + self.reset_retention

    def at(self, index: slice | Int64[Tensor, "end"]) -> "Window":
        """The windows of some ends."""
        return self.taken((..., index, slice(None)))

    def taken(self, index: Any) -> "Window":
        """The windows at an index."""
        return Window(self.zeroth[index], self.first[index], None if self.reset is None else self.reset[index])


class Factors(NamedTuple):
    """Factors of windows, by t = 1, …, T.

    Args:
        inner: a_t + ε d_t, and r_t.
        last: the dual number that stands for it where a window ends, if another.
        first: the number that stands for it where a window starts, if another.
    """

    inner: Window
    last: Window | None = None
    first: Float64[Tensor, "... time unit"] | None = None

    @classmethod
    def of(cls, diagonals: Diagonals) -> "Factors":
        """The factors of a trajectory, from the diagonals of its one-step Jacobians.

        Raises:
            InputError: if they are not float64.
        """
        retention, mixing, expression, output, reset = diagonals
        require(retention.dtype == torch.float64, "diagonals", "float64", retention.dtype)
        if expression is None or output is None:
            return cls(Window(retention, mixing, reset))
        before = torch.nn.functional.pad(expression, (0, 0, 1, 0))[..., :-1, :]  # e_{t-1}; no window needs e_0
        inner = Window(retention, mixing * before)
        last = Window(expression * retention, torch.addcmul(output * before, expression, inner.first))
        return cls(inner, last, retention)


def compose(later: Window, earlier: Window) -> Window:
    """The product of two adjacent windows: (γ⁰ + ε γ¹)(γ⁰' + ε γ¹') with ε² = 0, and ρ⁰ ρ⁰'."""
    return Window(
        later.zeroth * earlier.zeroth,
        torch.addcmul(later.zeroth * earlier.first, later.first, earlier.zeroth),
        None if later.reset is None or earlier.reset is None else later.reset * earlier.reset,
    )


def windows(
    factors: Factors, lags: Sequence[int], ends: Int64[Tensor, "end"] | None = None
) -> Iterator[tuple[int, Window]]:
    """Yield, for each lag ℓ, the windows ending at t = ℓ, …, T: entry `[..., i, :]` is t = ℓ + i; or at given t.

    Args:
        lags: increasing, in [1, T].
        ends: the t at which windows end, at least the largest lag; without it, all of them.

    Each lag extends the one before by a window of their difference, itself composed by doubling:
    all lags of an even grid cost one short pass over (time, unit) each.

    Raises:
        InputError: if the lags do not increase or exceed T.
    """
    time = factors.inner.zeroth.shape[-2]
    check_lags(lags, time)
    steps: dict[int, Window] = {1: factors.inner}
    length, window = 0, None
    for lag in lags:
        if factors.last is not None and factors.first is not None:
            yield (
                lag,
                _bounded(
                    factors.last, factors.first, steps, lag, torch.arange(lag, time + 1) if ends is None else ends
                ),
            )
            continue
        step = _power(steps, lag - length)
        if ends is not None:
            window = step.at(ends - lag) if window is None else compose(window, step.at(ends - lag))
        else:
            window = step if window is None else _extend(window, step, length)
        length = lag
        yield lag, window


def check_lags(lags: Sequence[int], time: int) -> None:
    """Raise `InputError` unless lags increase strictly within [1, time]."""
    in_order = all(a < b for a, b in pairwise(lags))
    require(len(lags) > 0 and in_order, "lags", "one or more integers in increasing order", list(lags))
    for lag in (lags[0], lags[-1]):
        require(1 <= lag <= time, "lags", f"in [1, {time}]", lag)


def _bounded(last: Window, first: Tensor, steps: dict[int, Window], lag: int, ends: Tensor) -> Window:
    """Windows ending at t = `ends` whose last and first factors differ from the inner ones."""
    window = last.at(ends - 1)
    if lag == 1:
        return Window(window.zeroth, torch.zeros_like(window.first))
    if lag > 2:
        window = compose(window, _power(steps, lag - 2).at(ends - 1 - (lag - 2)))
    start = first[..., ends - lag, :]
    return Window(window.zeroth * start, window.first * start)


def _extend(later: Window, earlier: Window, length: int) -> Window:
    """Windows of `later` (that many steps long) prolonged into the past by windows of `earlier`."""
    count = earlier.zeroth.shape[-2] - length
    return compose(later.at(slice(later.zeroth.shape[-2] - count, None)), earlier.at(slice(count)))


def _power(steps: dict[int, Window], length: int) -> Window:
    """Windows of `length` steps, by doubling; `steps` remembers all windows already made."""
    if length not in steps:
        half = length // 2
        steps[length] = _extend(_power(steps, length - half), _power(steps, half), length - half)
    return steps[length]
