"""The matched statistic S_{t,ℓ} (paper Sec. 5.2, Eqs. 29-30) of a frozen network, under the options of a reading.

    ζ^{(q)}_{t,ℓ} = δ_t^{(q)} ⟨B^{(q)}_{t-ℓ}, w⟩,        S_{t,ℓ} = Σ_q μ^{(q)}_{t,ℓ} o_q(ℓ) ζ^{(q)}_{t,ℓ}

δ_t = ∂(ŷ_t - y_t)²/∂h_t; B_t = ∂h_t/∂θ for the cell's parameters θ (the readout has none); w a random unit vector.
B is never formed: ⟨B, w⟩ is one Jacobian-vector product. For the LSTM, B is that of c_t, where its windows start.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
import xarray as xr
from jaxtyping import Float
from torch import Tensor

from learnability.cells import Cell, Parameters
from learnability.errors import require, require_available
from learnability.network import Network
from learnability.streams import numpy_generator
from learnability.transport import GRU_RATES, Engine, StatisticSums, Trajectory, check_lags, exact_chunks

BUILT: Mapping[str, tuple[object, ...]] = {
    "transport": ("first_order", "exact"),
    "parameter_jacobian": ("immediate", "total"),
    "orientation": ("per_unit", "global"),
    "sign_estimate": ("in_sample",),
    "sampling": ("pooled",),
    "noise": ("matched",),
    "directions": (1,),
    "gru_rates": GRU_RATES,
    "error_signal": ("gradient", "residual"),
}
"""What each option can be today."""


@dataclass(frozen=True)
class StatisticOptions:
    """How S is read where the paper leaves it open.

    Args:
        transport: μ as `first_order` diagonal windows (the paper's), or whole products, `exact`: S_{t,ℓ} =
            Σ_q v^{(q)} o_q(ℓ) ⟨B_{t-ℓ}, w⟩^{(q)} with v = δ_tᵀ M_{t,ℓ}, q a unit of the state at t - ℓ.
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
        gru_rates: first-order μ of a GRU as γ⁰ + γ¹, `strict`, or with ρ⁰ + η⁰ added (`eq26`).
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
    gru_rates: str
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


def matched_statistic(
    network: Network,
    parameters: Parameters,
    inputs: Float[Tensor, "sequence time input"],
    targets: Float[Tensor, "sequence time"],
    lags: Sequence[int],
    base_rate: float,
    study: int,
    options: StatisticOptions,
    engine: Engine,
) -> xr.Dataset:
    """S_{t,ℓ} at every `time_stride`-th t after the largest lag, so that each lag sees the same t.

    Args:
        base_rate: μ, used if `options.base_rate`.
        study: names the stream of w.

    Returns:
        Dataset with `statistic` (lag, sequence, time), float64; `alignment` m_q(ℓ) (lag, unit), the mean of
        ζ^{(q)}; `envelope` (lag), Σ_q ⟨|μ^{(q)}|⟩, or the mean gain ⟨‖v‖/‖δ‖⟩ of exact
        transport, with the base rate of the reading. `time` is t, counted from 1.

    Raises:
        InputError: if the lags do not increase strictly within [1, T - 1].
    """
    check_lags(lags, inputs.shape[1] - 1)
    ends = slice(lags[-1] + 1, inputs.shape[1] + 1, options.time_stride)
    kept = torch.arange(ends.start, ends.stop, ends.step)
    cell, w = network.cell, direction(network.cell, study)
    factor = 1 if options.error_signal == "gradient" else 0.5

    first_order = options.transport == "first_order"

    def measured(diagonals: bool) -> Iterator[tuple[Trajectory, Tensor, Tensor]]:
        """Trajectories, ⟨B_t, w⟩ at all t and δ_t at the kept t, both over what the transport leads from and to."""
        for each in engine.trace(cell, parameters, inputs, w, options.parameter_jacobian, diagonals):
            delta = factor * network.error_signal(parameters, each.states[:, kept], targets[each.rows, kept - 1])
            if first_order:
                yield each, cell.memory(each.projected), cell.output(delta)
            else:
                yield each, each.projected, delta

    def sums(signs: Tensor) -> Iterator[StatisticSums]:
        for each, p, delta in measured(first_order):
            if first_order:
                reset = each.diagonals.reset if options.gru_rates == "eq26" else None
                yield engine.statistic(each.diagonals._replace(reset=reset), p, delta, signs, kept, lags)
            else:
                yield from exact_chunks(cell, parameters, each, p, delta, signs, ends, lags)

    signs = torch.ones(len(lags), cell.hidden_size if first_order else cell.state_size, dtype=torch.float64)
    if options.orientation == "per_unit" and first_order:
        parts = (engine.alignment(p, delta, kept, lags) for _, p, delta in measured(False))
        signs = torch.stack([*parts]).sum(0).sign()
    elif options.orientation == "per_unit":
        signs = torch.stack([each.alignment for each in sums(signs)]).sum(0).sign()
    statistics, alignments, magnitudes = zip(*sums(signs), strict=True)
    alignment, magnitude = sum(alignments), sum(magnitudes)
    rate, count = base_rate if options.base_rate else 1.0, len(inputs) * len(kept)
    values = rate * torch.cat(statistics, 1)
    if options.orientation == "global":
        values *= values.mean((1, 2), keepdim=True).sign()
    return xr.Dataset(
        {
            "statistic": (("lag", "sequence", "time"), values.numpy()),
            "alignment": (("lag", "unit"), (alignment / count).numpy()),
            "envelope": ("lag", (rate * magnitude / count).numpy()),
        },
        coords={
            "lag": ("lag", np.asarray(lags, dtype=np.int32), {"units": "steps"}),
            "time": ("time", kept.numpy().astype(np.int32), {"units": "steps"}),
        },
        attrs={"base_rate": rate},
    )
