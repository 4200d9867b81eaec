"""The matched statistic S_{t,ℓ} (paper Sec. 5.2, Eqs. 29-30) of a frozen network, under the options of a reading.

    ζ^{(q)}_{t,ℓ} = δ_t^{(q)} ⟨B^{(q)}_{t-ℓ}, w⟩,        S_{t,ℓ} = Σ_q μ^{(q)}_{t,ℓ} o_q(ℓ) ζ^{(q)}_{t,ℓ}

δ_t = ∂(ŷ_t - y_t)²/∂h_t; B_t = ∂h_t/∂θ for the cell's parameters θ (the readout has none); w a random unit vector.
B is never formed: ⟨B, w⟩ is one Jacobian-vector product. For the LSTM, B is that of c_t, where its windows start.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
import xarray as xr
from torch import Tensor

from learnability.cells import Cell, Parameters
from learnability.errors import require
from learnability.frozen import Frozen
from learnability.readings import StatisticOptions
from learnability.streams import numpy_generator
from learnability.transport import Engine, StatisticSums, Trajectory, check_lags


def direction(cell: Cell, study: int, number: int = 0) -> Parameters:
    """w: a random unit vector over the cell's parameters, the same realisation for all models of a study.

    Each parameter's entries come from a stream keyed by its name, so architectures share the entries of the
    parameters they share; the norm is over those that the cell has. Another `number` is another direction.
    """
    parts = {
        name: torch.from_numpy(numpy_generator(study, number, "direction", name).standard_normal(tuple(like.shape)))
        for name, like in cell.initial_parameters(0, 0).items()
    }
    norm = torch.stack([part.square().sum() for part in parts.values()]).sum().sqrt()
    return {name: part / norm for name, part in parts.items()}


def matched_statistic(
    frozen: Frozen,
    lags: Sequence[int],
    base_rate: float,
    study: int,
    options: StatisticOptions,
    engine: Engine,
    shift_errors: bool = False,
) -> xr.Dataset:
    """S_{t,ℓ} at every `time_stride`-th t after the largest lag, so that each lag sees the same t, or at the last t.

    Args:
        base_rate: μ, used if `options.base_rate`.
        study: names the stream of w.
        shift_errors: take δ_t from the next sequence of the fold, always with its mean removed: a null control from end
            to end. Sequences are independent, so S has the mean 0.

    Returns:
        Dataset with `statistic` (direction, lag, sequence, time), float64, or its mean over t; with one sign for all
        units `orientation`, that sign, (direction, lag, sequence); with noise `total` also `total`, the gradient of the
        loss at t along w, of the same errors, as the statistic but without the lag; `alignment` m_q(ℓ) (direction, lag,
        unit), the mean of ζ^{(q)}; `product` (direction, lag), m̄(ℓ) f̂(ℓ) = Σ_q ⟨|μ^{(q)}|⟩ |m_q| (Eqs. 31-32), of exact
        transport Σ_q |m_q|; `envelope` (lag), Σ_q ⟨|μ^{(q)}|⟩, or the mean gain ⟨‖v‖/‖δ‖⟩ of exact transport, with the
        base rate of the reading. `time` is t, counted from 1.

    Raises:
        InputError: if the lags do not increase strictly within [1, T - 1], or for a fold of too few sequences: at least
            one, two where a mean is removed, three where errors are shifted (of two nothing would be left).
    """
    numbers = range(options.directions)
    unread = unread_statistic(frozen, lags, base_rate, study, options, engine, numbers, shift_errors)
    return read_statistic(unread, options)


def unread_statistic(
    frozen: Frozen,
    lags: Sequence[int],
    base_rate: float,
    study: int,
    options: StatisticOptions,
    engine: Engine,
    numbers: Sequence[int],
    shift_errors: bool = False,
) -> xr.Dataset:
    """The same before `read_statistic`, without the sign that all units share: the dear part.

    Args:
        numbers: which directions w; all share the transport.
    """
    sequences = len(frozen.inputs)
    check_lags(lags, frozen.inputs.shape[1] - 1)
    of_each = 3 if shift_errors else 2 if options.error_mean == "removed" else 1
    fewest = options.folds * of_each
    require(sequences >= fewest, "sequences", f"at least {fewest}, {of_each} in each fold", sequences)
    directions = [direction(frozen.network.cell, study, number) for number in numbers]
    sources = [_Source(fold, lags, directions, options, engine, shift_errors) for fold in frozen.folds(options.folds)]
    signs = [source.no_signs for source in sources]
    if options.orientation == "per_unit":
        signs = [each.sign() for each in reversed([source.alignment() for source in sources])]
    sums, totals = zip(*(source.sums(each) for source, each in zip(sources, signs, strict=True)), strict=True)
    kept = sources[0].kept
    rate, count = base_rate if options.base_rate else 1.0, sequences * len(kept)
    alignment, magnitude = (
        torch.stack([getattr(each, name) for each in sums]).sum(0) / count for name in ("alignment", "magnitude")
    )
    product = alignment.abs() if magnitude.ndim == 1 else magnitude * alignment.abs()
    gain = magnitude if magnitude.ndim == 1 else magnitude.sum(-1)
    time = () if options.sampling == "sequence_mean" else ("time",)
    found = {
        "statistic": (("direction", "lag", "sequence", *time), rate * torch.cat([each.statistic for each in sums], 2)),
        "alignment": (("direction", "lag", "unit"), alignment),
        "product": (("direction", "lag"), rate * product.sum(-1)),
        "envelope": ("lag", rate * gain),
    }
    if options.noise == "total":
        found["total"] = ("direction", "sequence", *time), rate * torch.cat(totals, 1)
    coordinates = {"lag": ("lag", np.asarray(lags, dtype=np.int32), {"units": "steps"})}
    if time:
        coordinates["time"] = "time", kept.numpy().astype(np.int32), {"units": "steps"}
    values = {name: (dimensions, each.numpy()) for name, (dimensions, each) in found.items()}
    return xr.Dataset(values, coordinates, {"base_rate": rate})


def read_statistic(unread: xr.Dataset, options: StatisticOptions) -> xr.Dataset:
    """Orientation, sampling and noise of a reading, from an unread statistic that is otherwise of the same reading.

    Args:
        unread: with `total` if the noise is to be; over t or, for means of sequences, already without.
    """
    found = unread if options.noise == "total" else unread.drop_vars("total", errors="ignore")
    if options.orientation == "global":
        folds = np.array_split(unread["statistic"].to_numpy(), options.folds, axis=2)
        sums = [fold.sum(tuple(range(2, fold.ndim))) for fold in folds]
        # Each fold's signs are of the other's sums where there are two.
        signs = [
            np.repeat(np.sign(each)[..., None], fold.shape[2], 2)
            for each, fold in zip(reversed(sums), folds, strict=True)
        ]
        orientation = xr.DataArray(np.concatenate(signs, 2), dims=("direction", "lag", "sequence"))
        found = found.assign(statistic=unread["statistic"] * orientation, orientation=orientation)
    if options.sampling == "sequence_mean" and "time" in found.dims:
        found = found.mean("time", skipna=False, keep_attrs=True)
    return found


@dataclass(frozen=True)
class _Source:
    """What sums over some sequences need (arguments as of `matched_statistic`)."""

    frozen: Frozen
    lags: Sequence[int]
    directions: Sequence[Parameters]
    options: StatisticOptions
    engine: Engine
    shift_errors: bool

    @cached_property
    def first_order(self) -> bool:
        """Whether transport is by diagonal windows."""
        return self.options.transport == "first_order"

    @cached_property
    def ends(self) -> slice:
        """t of the statistic, counted from 1."""
        time = self.frozen.inputs.shape[1]
        return slice(time if self.options.sampling == "last" else self.lags[-1] + 1, time + 1, self.options.time_stride)

    @cached_property
    def kept(self) -> Tensor:
        """The same, one by one."""
        return torch.arange(self.ends.start, self.ends.stop, self.ends.step)

    @cached_property
    def no_signs(self) -> Tensor:
        """o = 1 for every direction, lag and unit."""
        cell = self.frozen.network.cell
        units = cell.hidden_size if self.first_order else cell.state_size
        return torch.ones(len(self.directions), len(self.lags), units).double()

    def delta(self, trajectory: Trajectory) -> Tensor:
        """δ_t at the kept t."""
        factor = 1 if self.options.error_signal == "gradient" else 0.5
        network, parameters, _, targets = self.frozen
        states = trajectory.states[:, self.kept]
        return factor * network.error_signal(parameters, states, targets[trajectory.rows, self.kept - 1])

    def all_deltas(self) -> Iterator[Tensor]:
        """The same of all sequences, some at a time."""
        network, parameters, inputs, _ = self.frozen
        yield from map(self.delta, self.engine.trace(network.cell, parameters, inputs, diagonals=False))

    @cached_property
    def delta_sum(self) -> Tensor:
        """Σ δ_t over sequences."""
        return torch.stack([each.sum(0) for each in self.all_deltas()]).sum(0)

    @cached_property
    def next_deltas(self) -> Tensor:
        """δ_t of the sequence after each."""
        return torch.cat(list(self.all_deltas())).roll(-1, 0)

    def met_delta(self, trajectory: Trajectory) -> Tensor:
        """The δ_t that a trajectory meets, its own or the next sequence's, as it is or less the mean of all others."""
        own = self.delta(trajectory)
        if not self.shift_errors and self.options.error_mean == "kept":
            return own
        met = self.next_deltas[trajectory.rows] if self.shift_errors else own
        return met - (self.delta_sum - own) / (len(self.frozen.inputs) - 1)

    def traced(self, kind: str, diagonals: bool) -> Iterator[tuple[Trajectory, Tensor]]:
        """Trajectories with ⟨B_t, w⟩, and the error signal at the kept t."""
        network, parameters, inputs, _ = self.frozen
        for each in self.engine.trace(network.cell, parameters, inputs, self.directions, kind, diagonals):
            yield each, self.met_delta(each)

    def all_sums(self, signs: Tensor) -> Iterator[tuple[Trajectory, Tensor, StatisticSums]]:
        """S and its sums, some sequences at a time, and what they are of."""
        cell = self.frozen.network.cell
        for each, delta in self.traced(self.options.parameter_jacobian, self.first_order):
            if self.first_order:
                reset = each.diagonals.reset if self.options.gru_rates == "eq26" else None
                diagonals, p = each.diagonals._replace(reset=reset), cell.memory(each.projected)
                found = self.engine.statistic(diagonals, p, cell.output(delta), signs, self.kept, self.lags)
            else:
                found = self.engine.exact(cell, self.frozen.parameters, each, delta, signs, self.ends, self.lags)
            yield each, delta, found

    def sums(self, signs: Tensor) -> tuple[StatisticSums, Tensor | None]:
        """S with signs o(ℓ), at each t or its mean, and what is summed along with it; the total, if it is the noise."""
        mean, total = self.options.sampling == "sequence_mean", self.options.noise == "total"
        # A mean takes one pass back over the trajectories of S, each t by itself a derivative carried forward.
        back = total and mean and self.options.parameter_jacobian == "immediate"
        parts, totals = [], []
        for each, delta, found in self.all_sums(signs):
            parts.append(found._replace(statistic=found.statistic.mean(-1)) if mean else found)
            if back:
                along = self.engine.gradient(self.frozen.network.cell, self.frozen.parameters, each, delta, self.ends)
                totals.append(along / len(self.kept))
        if total and not back:
            slopes = [
                (delta * each.projected[:, :, self.kept - 1]).sum(-1) for each, delta in self.traced("total", False)
            ]
            totals = [each.mean(-1) for each in slopes] if mean else slopes
        return StatisticSums.join(parts), torch.cat(totals, 1) if total else None

    def alignment(self) -> Tensor:
        """Σ ζ, (direction, lag, unit)."""
        if not self.first_order:
            return torch.stack([found.alignment for _, _, found in self.all_sums(self.no_signs)]).sum(0)
        cell, traced = self.frozen.network.cell, self.traced(self.options.parameter_jacobian, diagonals=False)
        parts = [
            self.engine.alignment(cell.memory(each.projected), cell.output(delta), self.kept, self.lags)
            for each, delta in traced
        ]
        return torch.stack(parts).sum(0)
