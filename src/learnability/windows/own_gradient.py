"""The gradient of each lag along itself, without a random direction, and the lag-resolved gradient noise scale.

With g_{i,ℓ} the part of the gradient of sequence i's loss that crosses ℓ steps, over all parameters of the cell, and
g_i = Σ_ℓ g_{i,ℓ} the whole, θ_τ the parameters as step τ uses them,

    g_{i,ℓ} = 1/T Σ_t ∂E_t/∂θ_{t-ℓ},            G_ℓ = E g_{i,ℓ},      C = Cov g_i
    B_ℓ = tr C / ‖G_ℓ‖²                          McCandlish et al. 2018 (arXiv 1812.06162), lag by lag
    S_i(ℓ) = ⟨g_{i,ℓ}, w_ℓ⟩                      w_ℓ = Ḡ_ℓ / ‖Ḡ_ℓ‖ of the other half of the sequences

An optimiser sees the vector: no fixed direction gives a lag a better chance than its own gradient. ‖G_ℓ‖² is estimated
by the mean of ⟨g_{i,ℓ}, g_{j,ℓ}⟩ over all pairs of different sequences, which is unbiased (App. A of the same) and
varies less than the product of the means of two halves, which leaves out the pairs within a half. Where a state is one
tensor g_{i,ℓ} is 1/T Σ_t e_t v_{t,ℓ} B_{t-ℓ}; of cells with attention see `learnability.transport.attention`.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import NamedTuple

import numpy as np
import pandas as pd
import torch
import xarray as xr
from jaxtyping import Float, Float64
from torch import Tensor

from learnability.networks.frozen import Frozen
from learnability.transport import Engine, SequenceGradient
from learnability.windows.bootstrap import interval
from learnability.windows.readings import halves
from learnability.windows.request import Request


def own_gradient_statistics(
    frozen: Frozen,
    requests: Sequence[Request],
    errors: Sequence[Float64[Tensor, "sequence time *output"]],
    base_rate: float,
    engine: Engine,
) -> list[xr.Dataset]:
    """S along each lag's own gradient; requests of equal lags and transport share the passes over the sequences.

    Args:
        requests: of probe `own_gradient`.
        errors: ∂E_t/∂ŷ_t of each.
        base_rate: μ, for options that use it.

    Returns:
        For each request what `along_own_gradients` gives, with `total` only if the noise is that.
    """
    kinds = [(request.options.transport, tuple(request.lags)) for request in requests]
    statistics: dict[int, xr.Dataset] = {}
    for transport, lags in dict.fromkeys(kinds):
        together = [index for index, kind in enumerate(kinds) if kind == (transport, lags)]
        rates = [base_rate if requests[index].options.base_rate else 1.0 for index in together]
        counts = [len(requests[index].times(errors[index].shape[1])) for index in together]
        scaled_errors = torch.stack(
            [errors[index] * (rate / count) for index, rate, count in zip(together, rates, counts, strict=True)]
        )
        gradients = partial(engine.gradients, *frozen[:3], scaled_errors, lags, transport)
        statistic = along_own_gradients(gradients, scaled_errors.shape[1], engine.kept)
        coordinates = {"lag": ("lag", np.array(lags, dtype=np.int32), {"units": "steps"})}
        for row, (index, rate) in enumerate(zip(together, rates, strict=True)):
            dataset = statistic.isel(error=row).assign_coords(coordinates).assign_attrs(base_rate=rate)
            dataset = dataset if requests[index].options.noise == "total" else dataset.drop_vars("total")
            statistics[index] = dataset.assign(envelope=rate * dataset["envelope"])
    return [statistics[index] for index in range(len(requests))]


def along_own_gradients(
    gradients: Callable[[], Iterator[SequenceGradient]], count: int, keep: Callable[[int, int], tuple[torch.dtype, int]]
) -> xr.Dataset:
    """S of each sequence along the mean gradient of the half that it is not in.

    Args:
        gradients: gives the gradients of all sequences in order. It is called once, and a second time unless all are
            kept.
        count: of sequences.
        keep: `Engine.kept`; gradients of the last sequences are kept, all others are made a second time.

    Returns:
        Of each `error` signal `statistic` S and `total` ⟨g_i, w_ℓ⟩ (direction, lag, sequence), with `orientation` 1;
        `deviation` ‖g_i - ḡ‖² (sequence); `pair_product` (lag, sequence), the mean of ⟨g_{i,ℓ}, g_{j,ℓ}⟩ over all other
        sequences j, whose own mean estimates ‖G_ℓ‖² without bias; `envelope` (lag), the mean over sequences. S is 0
        where Ḡ_ℓ is.
    """
    first, second = halves(count)
    half = np.repeat([0, 1], [len(range(count)[sequences]) for sequences in (first, second)])
    sums: list[SequenceGradient] = []  # of each half
    cache: list[_Kept] = []
    for n, gradient in enumerate(gradients()):
        dtype, kept_count = keep(sum(part.nbytes for part in gradient), count)
        if n >= count - kept_count:
            cache.append(_Kept.of(gradient, dtype))
        if half[n] == len(sums):
            sums.append(SequenceGradient(*(torch.zeros_like(part) for part in gradient)))
        for part, addend in zip(sums[half[n]], gradient, strict=True):
            part += addend
    whole, envelope = (sums[0].whole + sums[1].whole) / count, (sums[0].envelope + sums[1].envelope) / count
    sum_by_lag = sums[0].by_lag + sums[1].by_lag
    directions = [half_sum.by_lag for half_sum in sums]  # in place, for they may be as large as a thousand networks
    for mean, size in zip(directions, np.bincount(half), strict=True):
        mean /= size
        mean /= torch.linalg.vector_norm(mean, dim=-1, keepdim=True)
        mean.nan_to_num_()
    errors, lags, _ = sum_by_lag.shape
    statistic, total = np.empty((errors, 1, lags, count)), np.empty((errors, 1, lags, count))
    deviation, pair_product = np.empty((errors, count)), np.empty((errors, lags, count))
    made_again = islice(gradients(), count - len(cache)) if len(cache) < count else ()
    space = torch.empty_like(sum_by_lag)
    for n, gradient in enumerate(chain(made_again, (copy.gradient(space) for copy in cache))):
        w = directions[1 - half[n]]  # of the other half
        statistic[:, 0, :, n] = _inner(gradient.by_lag, w)
        total[:, 0, :, n] = torch.stack([along @ of_one for along, of_one in zip(w, gradient.whole, strict=True)])
        deviation[:, n] = (gradient.whole - whole).square().sum(-1)
        pair_product[:, :, n] = _inner(gradient.by_lag, sum_by_lag) - _inner(gradient.by_lag, gradient.by_lag)
    pair_product /= count - 1
    dimensions = ("error", "direction", "lag", "sequence")
    return xr.Dataset(
        {
            "statistic": (dimensions, statistic),
            "total": (dimensions, total),
            "orientation": (dimensions, np.ones_like(statistic)),
            "deviation": (("error", "sequence"), deviation),
            "pair_product": (("error", "lag", "sequence"), pair_product),
            "envelope": (("error", "lag")[-envelope.dim() :], envelope.numpy()),
        }
    )


class _Kept(NamedTuple):
    """A gradient in some precision; in half precision each row is scaled so that its largest number has size 2^15.

    Args:
        sizes: what rows are to be multiplied by.
    """

    by_lag: Tensor
    whole: Tensor
    envelope: Tensor
    sizes: tuple[Tensor, Tensor] | None

    @classmethod
    def of(cls, gradient: SequenceGradient, dtype: torch.dtype) -> "_Kept":
        """A copy of a gradient."""
        by_lag, whole, envelope = gradient
        if dtype != torch.float16:
            return cls(by_lag.to(dtype, copy=True), whole.to(dtype, copy=True), envelope, None)
        (lags, lag_sizes), (wholes, whole_sizes) = map(_in_half_precision, (by_lag, whole))
        return cls(lags, wholes, envelope, (lag_sizes, whole_sizes))

    def gradient(self, space: Float64[Tensor, "error lag parameter"]) -> SequenceGradient:
        """The gradient in double precision, its lags in given memory."""
        by_lag, whole = space.copy_(self.by_lag), self.whole.double()
        if self.sizes is not None:
            by_lag, whole = by_lag.mul_(self.sizes[0]), whole.mul_(self.sizes[1])
        return SequenceGradient(by_lag, whole, self.envelope)


def _in_half_precision(numbers: Float64[Tensor, "... parameter"]) -> tuple[Tensor, Float64[Tensor, "... 1"]]:
    """Rows divided by their sizes lest they leave the range of half precision, and these sizes."""
    size = torch.linalg.vector_norm(numbers, torch.inf, -1, keepdim=True) / 2**15
    size = torch.where(size > 0, size, 1)
    half = torch.empty(numbers.shape, dtype=torch.float16)
    for row, of_row, result in zip(*(part.flatten(0, -2) for part in (numbers, size, half)), strict=True):
        result.copy_(row / of_row)  # row by row: of all rows it would take memory once more
    return half, size


def _inner(first: Float64[Tensor, "error lag parameter"], second: Tensor) -> Float64[Tensor, "error lag"]:
    """Inner product over parameters, row by row: a product of all rows would take memory for them once more."""
    rows = zip(first.flatten(0, 1), second.flatten(0, 1), strict=True)
    return torch.stack([a @ b for a, b in rows]).view(first.shape[:2])


def noise_scales(statistic: xr.Dataset, draws: int, generator: np.random.Generator) -> pd.DataFrame:
    """B_ℓ = tr C / ‖G_ℓ‖², with a 95 % interval over resamples of the sequences.

    With p_i(ℓ) the mean of ⟨g_{i,ℓ}, g_{j,ℓ}⟩ over j ≠ i and n sequences, ‖G_ℓ‖² is estimated by the mean U of p_i. A
    resample that takes sequence i c_i times moves it to U + 2 Σ_i c_i (p_i - U)/n, to first order: each pair has two
    sequences. B_ℓ is ∞ where the estimate is not positive.

    Args:
        statistic: `deviation` and `pair_product` of `along_own_gradients`.
        draws: resamples.

    Returns:
        A row for each lag: `gradient_square` the estimate of ‖G_ℓ‖², `total_variance` tr C, the same for all,
        `noise_scale` B_ℓ, `noise_scale_low` and `noise_scale_high`.
    """
    deviation = statistic["deviation"].to_numpy()
    pairs = statistic["pair_product"].transpose("lag", "sequence").to_numpy()
    count, square = len(deviation), pairs.mean(1)
    counts = generator.multinomial(count, np.full(count, 1 / count), draws)
    squares = 2 * (counts @ pairs.T) / count - square
    variance, variances = deviation.sum() / (count - 1), counts @ deviation / (count - 1)
    low, high = interval(_quotient(variances[:, None], squares))
    return pd.DataFrame(
        {
            "gradient_square": square,
            "total_variance": variance,
            "noise_scale": _quotient(np.full_like(square, variance), square),
            "noise_scale_low": low,
            "noise_scale_high": high,
        }
    )


def _quotient(variance: Float[np.ndarray, "..."], square: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
    """∞ where the square is not positive."""
    return np.where(square > 0, variance / np.where(square > 0, square, 1), np.inf)
