"""The matched statistic S_{t,ℓ} (paper Sec. 5.2, Eqs. 29-30) of a frozen network, under the options of a reading.

    ζ^{(q)}_{t,ℓ} = δ_t^{(q)} ⟨B^{(q)}_{t-ℓ}, w⟩,        S_{t,ℓ} = Σ_q μ^{(q)}_{t,ℓ} o_q(ℓ) ζ^{(q)}_{t,ℓ}

δ_t = ∂(ŷ_t - y_t)²/∂h_t; B_t = ∂h_t/∂θ for the cell's parameters θ (the readout has none); w a random unit vector.
B is never formed: ⟨B, w⟩ is one Jacobian-vector product.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
import xarray as xr
from jaxtyping import Float, Float64
from torch import Tensor
from torch.autograd import forward_ad

from learnability.cells import Cell, JacobianDiagonals, Parameters
from learnability.errors import require, require_available
from learnability.network import Network, cell_parameters
from learnability.streams import numpy_generator
from learnability.transport.rates import cached_blocks, forward
from learnability.transport.windows import check_lags, windows

BUILT: Mapping[str, tuple[object, ...]] = {
    "transport": ("first_order",),
    "parameter_jacobian": ("immediate", "total"),
    "orientation": ("per_unit", "global"),
    "sign_estimate": ("in_sample",),
    "sampling": ("pooled",),
    "noise": ("matched",),
    "directions": (1,),
    "error_signal": ("gradient", "residual"),
}
"""What each option can be today."""


@dataclass(frozen=True)
class StatisticOptions:
    """How S is read where the paper leaves it open.

    Args:
        transport: μ as `first_order` diagonal windows (the paper's).
        parameter_jacobian: B as the `immediate` partial ∂h_t/∂θ at fixed h_{t-1}, which makes the sum of Eq. 2 the
            gradient, or `total`, its tangent carried through the recurrence.
        orientation: o_q = sgn m_q(ℓ) `per_unit` (Eq. 30), or one sign for all units, `global`: sgn of the mean of S.
        sign_estimate: signs from the same data, `in_sample`.
        sampling: `pooled` over all (t, sequence) pairs. ASSUMPTION: t beyond the largest lag of the grid, so that each
            lag sees the same t.
        base_rate: multiply by the optimiser's rate μ.
        error_signal: δ_t as the `gradient` of (ŷ_t - y_t)², or half of it, `residual`, as in the author's public code.
        noise: scale of the `matched` statistic itself.
        directions: number of random directions w.
        time_stride: keep every so many t. ASSUMPTION: neighbouring t of a sequence carry nearly the same value, so a
            stride loses little; 1 keeps all.

    Raises:
        InputError: for a value that is not built.
    """

    transport: str
    parameter_jacobian: str
    orientation: str
    sign_estimate: str
    sampling: str
    base_rate: bool
    error_signal: str
    noise: str
    directions: int
    time_stride: int

    def __post_init__(self) -> None:
        for key, available in BUILT.items():
            require_available(key, getattr(self, key), available)
        require(self.time_stride >= 1, "time_stride", "at least 1", self.time_stride)


def direction(cell: Cell, study: int) -> Parameters:
    """w: a random unit vector over the cell's parameters, the same realisation for all models of a study.

    Each parameter's entries come from a stream keyed by its name, so architectures share the entries of the
    parameters they share; the norm is over those that the cell has.
    """
    parts = {
        name: torch.from_numpy(numpy_generator(study, 0, "direction", name).standard_normal(tuple(like.shape)))
        for name, like in cell.initial_parameters(0, 0).items()
    }
    norm = torch.stack([part.square().sum() for part in parts.values()]).sum().sqrt()
    return {name: part / norm for name, part in parts.items()}


def projected_parameter_jacobian(
    cell: Cell,
    parameters: Parameters,
    w: Parameters,
    states: Float64[Tensor, "sequence start_and_time hidden"],
    inputs: Float64[Tensor, "sequence time input"],
    kind: str,
) -> Float64[Tensor, "sequence time hidden"]:
    """⟨B_t, w⟩ for t = 1, …, T, `immediate` or `total` (see `StatisticOptions`)."""
    theta = cell_parameters(parameters)
    previous = states[:, :-1]
    with forward_ad.dual_level():
        duals = {name: forward_ad.make_dual(parameter, w[name]) for name, parameter in theta.items()}
        immediate = forward_ad.unpack_dual(cell.step(duals, previous, inputs)).tangent
    if kind == "immediate":
        return immediate
    total = torch.empty_like(immediate)
    tangent = torch.zeros_like(states[:, 0])
    for t in range(inputs.shape[1]):
        tangent = cell.jacobian_vector_product(theta, previous[:, t], inputs[:, t], tangent) + immediate[:, t]
        total[:, t] = tangent
    return total


@dataclass(frozen=True)
class _Chunk:
    """What S needs of a few sequences: window factors, δ_t at the kept t, ⟨B_t, w⟩ at all t."""

    diagonals: JacobianDiagonals
    delta: Float64[Tensor, "sequence kept hidden"]
    projected: Float64[Tensor, "sequence time hidden"]


def _summed_alignment(chunk: _Chunk, kept: Tensor, lags: Sequence[int]) -> Float64[Tensor, "lag hidden"]:
    """Σ ζ^{(q)}_{t,ℓ} over the chunk's sequences and kept t."""
    sums = [torch.einsum("sth,sth->h", chunk.delta, chunk.projected[:, kept - lag - 1]) for lag in lags]
    return torch.stack(sums)


def _in_cache(chunk: _Chunk) -> Iterator[_Chunk]:
    """Split a chunk over sequences into blocks whose windows stay in cache."""
    start = 0
    for diagonals in cached_blocks(chunk.diagonals):
        rows = slice(start, start + len(diagonals.mixing))
        start = rows.stop
        yield _Chunk(diagonals, chunk.delta[rows], chunk.projected[rows])


def _oriented_sums(
    chunk: _Chunk, signs: Float64[Tensor, "lag hidden"], kept: Tensor, lags: Sequence[int]
) -> tuple[Float64[Tensor, "lag sequence kept"], Float64[Tensor, "lag"]]:
    """Σ_q μ^{(q)} o_q ζ^{(q)} at each lag, sequence and kept t, and Σ |μ^{(q)}| over all of them; base rate 1."""
    sums = chunk.delta.new_empty(len(lags), *chunk.delta.shape[:2])
    magnitude = torch.empty(len(lags), dtype=torch.float64)
    for index, (lag, window) in enumerate(windows(chunk.diagonals, lags, kept)):
        mu = window.zeroth + window.first
        magnitude[index] = mu.abs().sum()
        zeta = chunk.delta * chunk.projected[:, kept - lag - 1]
        torch.matmul(mu.mul_(zeta), signs[index], out=sums[index])
    return sums, magnitude


def matched_statistic(
    network: Network,
    parameters: Parameters,
    inputs: Float[Tensor, "sequence time input"],
    targets: Float[Tensor, "sequence time"],
    lags: Sequence[int],
    base_rate: float,
    study: int,
    options: StatisticOptions,
) -> xr.Dataset:
    """S_{t,ℓ} at every `time_stride`-th t after the largest lag, so that each lag sees the same t.

    Args:
        base_rate: μ, used if `options.base_rate`.
        study: names the stream of w.

    Returns:
        Dataset with `statistic` (lag, sequence, time), float64; `alignment` m_q(ℓ) (lag, unit), the mean of
        ζ^{(q)}; `envelope` (lag), Σ_q ⟨|μ^{(q)}|⟩ with the base rate of the reading. `time` is t, counted from 1.

    Raises:
        InputError: if the lags do not increase strictly within [1, T - 1].
    """
    check_lags(lags, inputs.shape[1] - 1)
    kept = torch.arange(lags[-1] + 1, inputs.shape[1] + 1, options.time_stride)
    w = direction(network.cell, study)
    factor = 2 if options.error_signal == "gradient" else 1

    def chunks() -> Iterator[_Chunk]:
        for states, x, rows in forward(network, parameters, inputs):
            errors = network.predict(parameters, states[:, kept]) - targets[rows, kept - 1]
            yield _Chunk(
                network.cell.jacobian_diagonals(parameters, states[:, :-1], x),
                factor * errors[..., None] * parameters["w"],
                projected_parameter_jacobian(network.cell, parameters, w, states, x, options.parameter_jacobian),
            )

    shape = (len(lags), network.cell.hidden_size)
    signs = torch.ones(shape, dtype=torch.float64)
    if options.orientation == "per_unit":
        signs = sum((_summed_alignment(chunk, kept, lags) for chunk in chunks()), torch.zeros_like(signs)).sign()
    rate = base_rate if options.base_rate else 1.0
    alignment, magnitude = torch.zeros(shape, dtype=torch.float64), torch.zeros(len(lags), dtype=torch.float64)
    parts = []
    for chunk in chunks():
        alignment += _summed_alignment(chunk, kept, lags)
        for block in _in_cache(chunk):
            part, sums = _oriented_sums(block, signs, kept, lags)
            parts.append(rate * part)
            magnitude += rate * sums
    values = torch.cat(parts, 1)
    if options.orientation == "global":
        values *= values.mean((1, 2), keepdim=True).sign()
    return xr.Dataset(
        {
            "statistic": (("lag", "sequence", "time"), values.numpy()),
            "alignment": (("lag", "unit"), (alignment / (len(inputs) * len(kept))).numpy()),
            "envelope": ("lag", (magnitude / (len(inputs) * len(kept))).numpy()),
        },
        coords={
            "lag": ("lag", np.asarray(lags, dtype=np.int32), {"units": "steps"}),
            "time": ("time", kept.numpy().astype(np.int32), {"units": "steps"}),
        },
        attrs={"base_rate": rate},
    )
