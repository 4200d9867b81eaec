"""The matched statistic S_{t,ℓ} (paper Sec. 5.2, Eqs. 29-30) of a frozen network, under the options of a reading.

    ζ^{(q)}_{t,ℓ} = δ_t^{(q)} ⟨B^{(q)}_{t-ℓ}, w⟩,        S_{t,ℓ} = Σ_q μ^{(q)}_{t,ℓ} o_q(ℓ) ζ^{(q)}_{t,ℓ}

δ_t = ∂(ŷ_t - y_t)²/∂h_t; B_t = ∂h_t/∂θ for the cell's parameters θ (the readout has none); w a random unit vector.
B is never formed: ⟨B, w⟩ is one Jacobian-vector product. For the LSTM, B is ∂c_t/∂θ, for its windows start at c_t.

The loss sees a scalar, so δ_t = e_t ρ_t with e_t = 2 (ŷ_t - y_t) and ρ_t = ∂ŷ_t/∂h_t. Transport is of ρ_t alone,
S_{t,ℓ} = e_t D_{t,ℓ}, with D the lag-ℓ part of the derivative of ŷ_t along w: whatever is wanted of one network, other
errors and targets among it, takes the same one or two passes over its sequences. Along the gradient itself instead of
a random w, see own_gradient.py.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, groupby, repeat
from operator import itemgetter
from typing import NamedTuple

import numpy as np
import torch
import xarray as xr
from jaxtyping import Float, Float32, Float64, Int32, Int64
from torch import Tensor

from learnability.cells import Parameters
from learnability.networks.frozen import Frozen
from learnability.transport import Derivatives, Engine, Probes, Trajectory
from learnability.windows.error_signals import ErrorSignals
from learnability.windows.own_gradient import own_gradient_statistics
from learnability.windows.readings import StatisticOptions, halves
from learnability.windows.request import Request, direction


def matched_statistic(
    frozen: Frozen,
    lags: Sequence[int],
    base_rate: float,
    root_seed: int,
    options: StatisticOptions,
    engine: Engine,
    shift_errors: bool = False,
) -> xr.Dataset:
    """The statistic of a network for a single request; see `matched_statistics`."""
    request = Request(options, lags, shift_errors)
    return next(matched_statistics(frozen, [request], base_rate, root_seed, engine))


def matched_statistics(
    frozen: Frozen, requests: Sequence[Request], base_rate: float, root_seed: int, engine: Engine
) -> Iterator[xr.Dataset]:
    """S under each request, in order; each is put together when its turn comes.

    Args:
        base_rate: μ, for options that use it.
        root_seed: names the stream of w.

    Yields:
        Dataset with `statistic` (direction, lag, sequence, time), or of sampling `sequence_mean` its mean over t; with
        one sign for all units `orientation`, that sign, (direction, lag, sequence); with noise `total` also `total`,
        the gradient of the loss at t along w, of the same errors, as the statistic but without the lag; `alignment`
        m_q(ℓ) (direction, lag, unit), the mean of ζ^{(q)}; `product` (direction, lag), m̄(ℓ) f̂(ℓ) = Σ_q ⟨|μ^{(q)}|⟩
        |m_q| (Eqs. 31-32), of exact transport Σ_q |m_q|; `envelope` (lag), Σ_q ⟨|μ^{(q)}|⟩, or the mean gain ⟨‖v‖/‖ρ‖⟩
        of exact transport, over all t > ℓ, with the base rate of the reading. `time` is t, counted from 1; at t ≤ ℓ
        there is no S, and the entry is 0: `learnability.windows.draws` leaves it out. With probe `own_gradient`, what
        `own_gradient_statistics` gives.

    Raises:
        InputError: as `ErrorSignals`.
    """
    signals = ErrorSignals(frozen, requests, engine)
    errors = [signals.values[row] for row in signals.number]
    queries = {
        index: _Query(request, signals.number[index])
        for index, request in enumerate(requests)
        if request.options.probe == "random"
    }
    sums = _Sweeps(frozen, signals, root_seed, engine).sums(queries) if queries else {}
    along_own = [index for index in range(len(requests)) if index not in queries]
    statistics = own_gradient_statistics(
        frozen, [requests[index] for index in along_own], [errors[index] for index in along_own], base_rate, engine
    )
    datasets = dict(zip(along_own, statistics, strict=True))
    for index, request in enumerate(requests):
        yield datasets[index] if index in datasets else _dataset(request, sums[index], errors[index], base_rate)


Signs = Float64[Tensor, "half direction lag unit"]


class _Probe(NamedTuple):
    """⟨B, w⟩ and its signs: kind of the parameter Jacobian, number of w, and bytes of the signs, none if all are 1."""

    jacobian: str
    direction: int
    signs: bytes = b""


class _Query(NamedTuple):
    """A request in a sweep over the sequences.

    Args:
        error_row: which of `ErrorSignals.values` it has.
        signs: o(ℓ); None before they are known, and of one sign for all units.
    """

    request: Request
    error_row: int
    signs: Signs | None = None

    @property
    def probes(self) -> list[_Probe]:
        """A probe for each direction."""
        jacobian, directions = self.request.options.parameter_jacobian, self.request.directions
        if self.signs is None:
            return [_Probe(jacobian, number) for number in directions]
        signs = [of_direction.numpy().tobytes() for of_direction in self.signs.unbind(1)]
        return [_Probe(jacobian, *pair) for pair in zip(directions, signs, strict=True)]

    @property
    def is_summed(self) -> bool:
        """True if the signs are known, so that D can be summed over units."""
        return self.signs is not None or not self.request.per_unit

    @property
    def is_aligned(self) -> bool:
        """True if the sweep computes m_q(ℓ), for the signs or for the product."""
        return self.signs is None and (self.request.per_unit or self.request.product)

    @property
    def lags_at_each_t(self) -> int:
        """Number of lags at which D is kept at each t."""
        by_t = self.is_summed and self.request.options.sampling != "sequence_mean"
        return len(self.request.lags) if by_t else 0

    @property
    def slope_directions(self) -> Sequence[int]:
        """Directions along which the whole gradient is the noise."""
        return self.request.directions if self.request.options.noise == "total" else ()


class _Values(NamedTuple):
    """D at each t, float32 times a power of 2 for each lag: it falls to 1e-60, and rounding is far below its noise."""

    mantissas: Float32[Tensor, "lag sequence time"]
    exponents: Int32[Tensor, "lag 1 1"]


class _Sums(NamedTuple):
    """Sums over the sequences for one request; None where a sweep does not compute them.

    Args:
        statistic: Σ_t e_t D_{t,ℓ}.
        values: of each direction, where D is kept at each t.
        alignment: Σ e_t ζ^{(q)}_{t,ℓ} of each half of the sequences.
        magnitude: as of `Derivatives`.
        slopes: derivative of ŷ_t along each w, where the whole gradient is the noise.
    """

    statistic: Float64[Tensor, "direction lag sequence"] | None
    values: list[_Values]
    alignment: Float64[Tensor, "half direction lag unit"] | None
    magnitude: Float64[Tensor, "lag *unit"] | None
    slopes: Sequence[Float64[Tensor, "sequence time"]] = ()


class _Group:
    """Requests of one kind of transport, and D along their probes, collected over the sequences.

    Args:
        transport: `first_order` or `exact`; `rates` as `gru_rates`.
        queries: by the number of the request.
        shape: sequences and times.
    """

    def __init__(self, transport: str, rates: str, queries: Mapping[int, _Query], shape: torch.Size) -> None:
        self.transport, self.rates, self.queries, self.shape = transport, rates, queries, shape
        self.lags = max((query.request.lags for query in queries.values()), key=len)
        self.error_rows = sorted({query.error_row for query in queries.values()})
        lags_at_each_t: dict[_Probe, int] = {}
        self.signs: dict[bytes, Float64[Tensor, "half lag unit"]] = {}
        for query in queries.values():
            for probe in query.probes:
                lags_at_each_t[probe] = max(lags_at_each_t.get(probe, 0), query.lags_at_each_t)
            if query.signs is not None:
                self.signs |= zip((probe.signs for probe in query.probes), query.signs.unbind(1), strict=True)
        self.probes = sorted(lags_at_each_t, key=lambda probe: lags_at_each_t[probe] == 0)
        self.lags_at_each_t = {probe: lags_at_each_t[probe] for probe in self.probes if lags_at_each_t[probe]}
        self.parts: list[tuple[int, Derivatives]] = []
        self.values: dict[_Probe, _Values] = {}

    def places_of(self, query: _Query) -> list[tuple[int, int]]:
        """Pairs of places in the pass, of a query's error and of each of its probes."""
        return [(self.error_rows.index(query.error_row), self.probes.index(probe)) for probe in query.probes]

    @property
    def aligned(self) -> list[tuple[int, int]]:
        """Places of errors and probes whose alignment is computed."""
        return [place for query in self.queries.values() if query.is_aligned for place in self.places_of(query)]

    def signs_of(self, probe: _Probe, half: int, units: int) -> Float64[Tensor, "lag unit"]:
        """o(ℓ) in a half of the sequences; 1 where a probe has none."""
        ones = torch.ones(len(self.lags), units, dtype=torch.float64)
        if not probe.signs:
            return ones
        signs = self.signs[probe.signs][half]
        return torch.cat([signs, ones[len(signs) :]])

    def add(self, half: int, rows: slice, part: Derivatives) -> None:
        """Keep the sums of D over some sequences of a half, and D itself where it is wanted at each t."""
        for column, (probe, lags) in enumerate(self.lags_at_each_t.items()):
            values = part.values[column, :lags]
            if probe not in self.values:
                exponents = values.abs().amax((1, 2), keepdim=True).double().frexp().exponent
                self.values[probe] = _Values(torch.empty(lags, *self.shape), exponents)
            mantissas, exponents = self.values[probe]
            mantissas[:, rows] = torch.ldexp(values.double(), -exponents).float()
        self.parts.append((half, part._replace(values=torch.empty(0))))

    def sums(self) -> dict[int, _Sums]:
        """Sums of each request, without slopes, when all sequences are added."""
        parts = [part for _, part in self.parts]
        magnitude = torch.stack([part.magnitude for part in parts]).sum(0) if parts[0].sums.numel() else None
        alignments = map(self._alignment, count())
        sums = {}
        for index, query in self.queries.items():
            lags, statistic, alignment = len(query.request.lags), None, None
            if query.is_summed:
                along = [torch.cat([part.sums[place] for part in parts], -1) for place in self.places_of(query)]
                statistic = torch.stack(along)[:, :lags]
            if query.is_aligned:
                alignment = torch.stack([next(alignments) for _ in query.probes], 1)[:, :, :lags]
            values = [self.values[probe] for probe in query.probes] if query.lags_at_each_t else []
            sums[index] = _Sums(statistic, values, alignment, magnitude)
        return sums

    def _alignment(self, row: int) -> Float64[Tensor, "half lag unit"]:
        halves = [[part.alignment[row] for _, part in parts] for _, parts in groupby(self.parts, key=itemgetter(0))]
        return torch.stack([torch.stack(half).sum(0) for half in halves])


@dataclass(frozen=True)
class _Sweeps:
    """Sweeps over the sequences of a network."""

    frozen: Frozen
    signals: ErrorSignals
    root_seed: int
    engine: Engine

    def sums(self, queries: Mapping[int, _Query]) -> dict[int, _Sums]:
        """Sums of each request, from one sweep and, where units have signs of their own, a second with these."""
        sums = self._sweep(queries)
        with_signs = {
            index: query._replace(signs=_signs(query.request, sums[index]))
            for index, query in queries.items()
            if query.request.per_unit
        }
        for index, second in (self._sweep(with_signs) if with_signs else {}).items():
            first = sums[index]
            magnitude = second.magnitude if first.magnitude is None else first.magnitude
            sums[index] = second._replace(alignment=first.alignment, magnitude=magnitude)
        return sums

    def _sweep(self, queries: Mapping[int, _Query]) -> dict[int, _Sums]:
        network, parameters, inputs, _ = self.frozen[:4]
        groups = self._groups(queries)
        slopes: dict[int, list[Tensor]] = {
            number: [] for query in queries.values() for number in query.slope_directions
        }
        directions = self._directions(groups, slopes)
        for half, sequences in enumerate(self._halves):
            for trajectory, projections in self._trajectories(inputs[sequences], groups, directions):
                gradient = network.readout_gradient(parameters, trajectory.states[:, 1:])
                for number, parts in slopes.items():
                    parts.append((gradient * projections["total", number]).sum(-1))
                first = sequences.start + trajectory.rows.start
                rows = slice(first, min(first + len(trajectory.inputs), sequences.start + trajectory.rows.stop))
                for group in groups:
                    probes = self._probes(group, half, rows, gradient, projections)
                    group.add(half, rows, self._derivatives(group, trajectory, probes))
        sums = {index: sums for group in groups for index, sums in group.sums().items()}
        along = {number: torch.cat(parts) for number, parts in slopes.items()}
        for index, query in queries.items():
            sums[index] = sums[index]._replace(slopes=[along[number] for number in query.slope_directions])
        return sums

    @property
    def _halves(self) -> list[slice]:
        """Cross-fitting takes signs of one half from the other; sweeps go over one half after the other."""
        return [half for half in halves(len(self.frozen.inputs)) if half.stop > half.start]

    def _groups(self, queries: Mapping[int, _Query]) -> list[_Group]:
        """Kinds of rates are apart for the first order of a cell with a reset gate alone."""
        kinds: dict[tuple[str, str], dict[int, _Query]] = {}
        for index, query in queries.items():
            options = query.request.options
            has_kinds = self.frozen.network.cell.has_reset and options.transport == "first_order"
            kind = options.transport, options.gru_rates if has_kinds else "strict"
            kinds.setdefault(kind, {})[index] = query
        return [_Group(*kind, of_kind, self.frozen.inputs.shape[:2]) for kind, of_kind in kinds.items()]

    def _directions(self, groups: Sequence[_Group], slopes: Iterable[int]) -> dict[str, dict[int, Parameters]]:
        """Directions w by number, for each kind of the parameter Jacobian."""
        numbers: dict[str, set[int]] = {"immediate": set(), "total": set(slopes)}
        for probe in [probe for group in groups for probe in group.probes]:
            numbers[probe.jacobian].add(probe.direction)
        cell = self.frozen.network.cell
        return {
            jacobian: {number: direction(cell, self.root_seed, number) for number in sorted(numbers[jacobian])}
            for jacobian in numbers
        }

    def _trajectories(
        self,
        inputs: Float[Tensor, "sequence time input"],
        groups: Sequence[_Group],
        directions: Mapping[str, Mapping[int, Parameters]],
    ) -> Iterator[tuple[Trajectory, dict[tuple[str, int], Tensor]]]:
        """A few sequences at a time, with ⟨B_t, w⟩ by kind of the parameter Jacobian and number of w."""
        cell, parameters = self.frozen.network.cell, self.frozen.parameters
        immediate, total = ([*directions[jacobian].values()] for jacobian in ("immediate", "total"))
        diagonals = any(group.transport == "first_order" for group in groups)
        trajectories = self.engine.trace(cell, parameters, inputs, immediate, "immediate", diagonals)
        tangents = self.engine.trace(cell, parameters, inputs, total, "total", False) if total else repeat(None)
        for trajectory, tangent in zip(trajectories, tangents, strict=False):
            parts = {"immediate": trajectory.projected, "total": () if tangent is None else tangent.projected}
            projections = {
                (jacobian, number): values
                for jacobian, part in parts.items()
                for number, values in zip(directions[jacobian], part, strict=True)
            }
            yield trajectory, projections

    def _probes(
        self, group: _Group, half: int, rows: slice, gradient: Tensor, projections: Mapping[tuple[str, int], Tensor]
    ) -> Probes:
        cell = self.frozen.network.cell
        by_diagonals = group.transport == "first_order"
        units = cell.hidden_size if by_diagonals else cell.state_size
        along = [projections[probe.jacobian, probe.direction] for probe in group.probes]
        return Probes(
            gradient=cell.output(gradient) if by_diagonals else gradient,
            projected=[cell.memory(vectors) for vectors in along] if by_diagonals else along,
            signs=torch.stack([group.signs_of(probe, half, units) for probe in group.probes]),
            errors=self.signals.values[:, rows][group.error_rows],
            aligned=group.aligned,
            kept=len(group.lags_at_each_t),
        )

    def _derivatives(self, group: _Group, trajectory: Trajectory, probes: Probes) -> Derivatives:
        if group.transport == "exact":
            cell, parameters = self.frozen.network.cell, self.frozen.parameters
            return self.engine.exact(cell, parameters, trajectory, probes, group.lags)
        if not any(query.is_summed for query in group.queries.values()):
            empty = torch.empty(0)
            return Derivatives(empty, empty, self.engine.alignment(probes, group.lags), empty)
        reset = trajectory.diagonals.reset if group.rates == "eq26" else None
        return self.engine.first_order(trajectory.diagonals._replace(reset=reset), probes, group.lags)


def _signs(request: Request, sums: _Sums) -> Signs:
    """sgn m_q(ℓ) for each half, of all sequences or of the other half (Eq. 30)."""
    alignment = sums.alignment
    assert alignment is not None
    cross_fit = request.options.sign_estimate == "cross_fit"
    return (alignment.flip(0) if cross_fit else alignment.sum(0, keepdim=True).expand_as(alignment)).sign()


def _dataset(request: Request, sums: _Sums, errors: Float64[Tensor, "sequence time"], base_rate: float) -> xr.Dataset:
    """The statistic of a request."""
    options, (sequences, duration) = request.options, errors.shape
    times, lags = np.array(request.times(duration)), np.array(request.lags)
    rate = base_rate if options.base_rate else 1.0
    assert sums.statistic is not None
    means = sums.statistic.numpy() * (rate / len(times))
    coordinates = {"lag": ("lag", lags.astype(np.int32), {"units": "steps"})}
    at_each_t = options.sampling != "sequence_mean"
    if at_each_t:
        coordinates["time"] = "time", times.astype(np.int32), {"units": "steps"}
    statistic = _at_each_t(sums.values, rate * errors[:, times - 1].numpy(), times, len(lags)) if at_each_t else means
    variables: dict[str, tuple[object, np.ndarray]] = {}
    dimensions = ("direction", "lag", "sequence", *(("time",) if at_each_t else ()))
    if options.orientation == "global":
        orientation = np.empty(means.shape)
        for group, source in options.sign_groups(sequences):
            orientation[..., group] = np.sign(means[..., source].sum(-1, keepdims=True))
        statistic *= orientation[..., None] if at_each_t else orientation
        variables["orientation"] = ("direction", "lag", "sequence"), orientation
    variables["statistic"] = dimensions, statistic
    if sums.slopes:
        variables["total"] = _whole(torch.stack([*sums.slopes]), errors, times, rate, at_each_t)
    pairs = sequences * np.array([(times > lag).sum() for lag in lags])
    variables |= _product(request, sums, pairs, rate, pairs if at_each_t else sequences * len(times), errors.shape)
    return xr.Dataset(variables, coordinates, {"base_rate": rate})


def _at_each_t(
    values: Sequence[_Values], errors: Float64[np.ndarray, "sequence time"], times: np.ndarray, lags: int
) -> Float64[np.ndarray, "direction lag sequence time"]:
    """e_t D_{t,ℓ} at some t."""
    statistic = np.empty((len(values), lags, *errors.shape))
    for of_direction, (mantissas, exponents) in zip(statistic, values, strict=True):
        for row in range(lags):
            derivatives = torch.ldexp(mantissas[row].double(), exponents[row]).numpy()
            np.multiply(derivatives[:, times - 1], errors, out=of_direction[row])
    return statistic


def _whole(
    slopes: Float64[Tensor, "direction sequence time"],
    errors: Float64[Tensor, "sequence time"],
    times: np.ndarray,
    rate: float,
    at_each_t: bool,
) -> tuple[tuple[str, ...], np.ndarray]:
    """The gradient of the loss at t along w, or its mean over t."""
    if at_each_t:
        return ("direction", "sequence", "time"), rate * (slopes * errors)[..., times - 1].numpy()
    means = torch.einsum("dst,st->ds", slopes, errors) / len(times)
    return ("direction", "sequence"), rate * means.numpy()


def _product(
    request: Request,
    sums: _Sums,
    pairs: Int64[np.ndarray, "lag"],
    rate: float,
    terms: np.ndarray | int,
    shape: torch.Size,
) -> dict[str, tuple[object, np.ndarray]]:
    """Alignment, m̄ f̂ and the envelope.

    Args:
        pairs: (t, sequence) of each lag.
        terms: pairs over which the mean of S is taken.
        shape: sequences and times.
    """
    lags = np.array(request.lags)
    assert sums.magnitude is not None
    magnitude = sums.magnitude[: len(lags)].numpy()
    magnitude = magnitude / (shape[0] * (shape[1] - lags)).reshape(-1, *[1] * (magnitude.ndim - 1))
    gain = magnitude if magnitude.ndim == 1 else magnitude.sum(-1)
    variables: dict[str, tuple[object, np.ndarray]] = {"envelope": ("lag", rate * gain)}
    if request.product:
        assert sums.alignment is not None
        alignment = sums.alignment.sum(0).numpy() / pairs[:, None]
        products = np.abs(alignment) if magnitude.ndim == 1 else magnitude * np.abs(alignment)
        variables["alignment"] = ("direction", "lag", "unit"), alignment
        variables["product"] = ("direction", "lag"), rate * products.sum(-1) * (pairs / terms)
    return variables
