"""The matched statistic S_{t,ℓ} (paper Sec. 5.2, Eqs. 29-30) of a frozen network, under the options of a reading.

    ζ^{(q)}_{t,ℓ} = δ_t^{(q)} ⟨B^{(q)}_{t-ℓ}, w⟩,        S_{t,ℓ} = Σ_q μ^{(q)}_{t,ℓ} o_q(ℓ) ζ^{(q)}_{t,ℓ}

δ_t = ∂(ŷ_t - y_t)²/∂h_t; B_t = ∂h_t/∂θ for the cell's parameters θ (the readout has none); w a random unit vector.
B is never formed: ⟨B, w⟩ is one Jacobian-vector product. For the LSTM, B is that of c_t, where its windows start.

The loss sees a scalar, so δ_t = e_t ρ_t with e_t = 2 (ŷ_t - y_t) and ρ_t = ∂ŷ_t/∂h_t. Transport is of ρ_t alone,
S_{t,ℓ} = e_t D_{t,ℓ}, with D the lag-ℓ part of the derivative of ŷ_t along w: whatever is wanted of one network, other
errors and targets among it, takes the same one or two passes over its sequences. Along the gradient itself instead of
a random w, see own_gradient.py.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat
from typing import NamedTuple

import numpy as np
import torch
import xarray as xr
from jaxtyping import Float32, Float64, Int32
from torch import Tensor

from learnability.cells.gru import GRU
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
    """One statistic of a network; see `matched_statistics`."""
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
    errors = ErrorSignals(frozen, requests, engine)
    random = [index for index, request in enumerate(requests) if request.options.probe == "random"]
    measurement = _Measurement(
        frozen,
        [requests[index] for index in random],
        [errors.number[index] for index in random],
        errors.values,
        root_seed,
        engine,
    )
    if random:
        measurement.run()
    others = [index for index in range(len(requests)) if index not in random]
    signals = [errors.values[errors.number[index]] for index in others]
    own = own_gradient_statistics(frozen, [requests[index] for index in others], signals, base_rate, engine)
    for index in range(len(requests)):
        if index in random:
            yield measurement.dataset(random.index(index), base_rate)
        else:
            yield own[others.index(index)]


Signs = Float64[Tensor, "half direction lag unit"]


class _Probe(NamedTuple):
    """⟨B, w⟩ and its signs: kind of the parameter Jacobian, number of w, and bytes of the signs, none if all are 1."""

    kind: str
    number: int
    signs: bytes = b""


class _Held(NamedTuple):
    """D at each t, float32 times a power of 2 for each lag: it falls to 1e-60, and rounding is far below its noise."""

    values: Float32[Tensor, "lag sequence time"]
    exponents: Int32[Tensor, "lag 1 1"]


@dataclass
class _Pass:
    """D of some requests by one kind of transport, on its way over the sequences.

    Args:
        transport: `first_order` or `exact`; `rates` as `gru_rates`.
        lags: the longest grid among the requests.
        probes: those wanted at each t come first.
        signs: of each half, by the bytes in a probe.
        requests: indices of those whose errors are summed.
        pairs: requests and probes whose alignment is wanted.
        kept: how many of the lags are wanted at each t, for each of the first probes.
    """

    transport: str
    rates: str
    lags: Sequence[int]
    probes: list[_Probe]
    signs: Mapping[bytes, Float64[Tensor, "half lag unit"]]
    requests: list[int]
    pairs: list[tuple[int, _Probe]]
    kept: list[int]
    parts: list[tuple[int, Derivatives]] = field(default_factory=list)

    def error_signals(self, of_requests: Sequence[int]) -> list[int]:
        """The distinct error signals of the requests."""
        return sorted({of_requests[index] for index in self.requests})


@dataclass
class _Measurement:
    """All requests of one network.

    Args:
        errors: e_t of the distinct error signals; `signals`: which of them each request has.
    """

    frozen: Frozen
    requests: Sequence[Request]
    signals: Sequence[int]
    errors: Float64[Tensor, "error sequence time *output"]
    root_seed: int
    engine: Engine
    sums: dict[tuple[int, _Probe], Tensor] = field(default_factory=dict)
    values: dict[tuple[str, str, _Probe], _Held] = field(default_factory=dict)
    alignments: dict[tuple[int, _Probe], Tensor] = field(default_factory=dict)
    magnitudes: dict[tuple[str, str], Tensor] = field(default_factory=dict)
    slopes: dict[int, list[Tensor]] = field(default_factory=dict)
    probes: dict[tuple[int, int], _Probe] = field(default_factory=dict)

    def run(self) -> None:
        """Pass over the sequences once and, where units have signs of their own, a second time with these."""
        plain = {index: None for index in range(len(self.requests))}
        self._sweep(plain, first=True)
        signed = {index: self._signs(index) for index, request in enumerate(self.requests) if request.per_unit}
        if signed:
            self._sweep(signed, first=False)

    @cached_property
    def halves(self) -> list[slice]:
        """Cross-fitting takes signs of one half from the other; passes go over one half after the other."""
        return [half for half in halves(len(self.frozen.inputs)) if half.stop > half.start]

    # Passes

    def _rates(self, request: Request) -> str:
        """Kinds of rates are apart for a GRU's first order alone."""
        is_gru = isinstance(self.frozen.network.cell, GRU) and request.options.transport == "first_order"
        return request.options.gru_rates if is_gru else "strict"

    def _signs(self, index: int) -> Signs:
        """sgn m_q(ℓ) for each half, of all sequences or of the other half (Eq. 30)."""
        request = self.requests[index]
        probes = [_Probe(request.options.parameter_jacobian, number) for number in request.directions]
        halves = torch.stack([self.alignments[index, probe] for probe in probes], 1)[:, :, : len(request.lags)]
        cross_fit = request.options.sign_estimate == "cross_fit"
        return (halves.flip(0) if cross_fit else halves.sum(0, keepdim=True).expand_as(halves)).sign()

    def _passes(self, wanted: Mapping[int, Signs | None], first: bool) -> list[_Pass]:
        passes: dict[tuple[str, str], list[int]] = {}
        for index in wanted:
            request = self.requests[index]
            passes.setdefault((request.options.transport, self._rates(request)), []).append(index)
        return [self._pass(*key, indices, wanted, first) for key, indices in passes.items()]

    def _pass(
        self, transport: str, rates: str, indices: list[int], wanted: Mapping[int, Signs | None], first: bool
    ) -> _Pass:
        kept: dict[_Probe, int] = {}
        held: dict[bytes, Tensor] = {}
        pairs: list[tuple[int, _Probe]] = []
        for index in indices:
            request, signs = self.requests[index], wanted[index]
            summed = bool(request.per_unit) != first
            for place, number in enumerate(request.directions):
                probe = _Probe(request.options.parameter_jacobian, number)
                if first and (request.per_unit or request.product):
                    pairs.append((index, probe))
                if signs is not None:
                    own = signs[:, place]
                    probe = probe._replace(signs=own.numpy().tobytes())
                    held[probe.signs] = own
                if summed:
                    self.probes[index, number] = probe
                at_each_t = len(request.lags) if summed and request.options.sampling != "sequence_mean" else 0
                kept[probe] = max(kept.get(probe, 0), at_each_t)
        ordered = sorted(kept, key=lambda probe: kept[probe] == 0)
        lags = max((self.requests[index].lags for index in indices), key=len)
        return _Pass(
            transport, rates, lags, ordered, held, indices, pairs, [kept[probe] for probe in ordered if kept[probe]]
        )

    def _sweep(self, wanted: Mapping[int, Signs | None], first: bool) -> None:
        network, parameters, inputs, _ = self.frozen[:4]
        passes = self._passes(wanted, first)
        of_total = {number for index in wanted for number in self._total(index, first)}
        numbers = {
            kind: sorted({probe.number for one in passes for probe in one.probes if probe.kind == kind})
            for kind in ("immediate", "total")
        }
        numbers["total"] = sorted({*numbers["total"], *of_total})
        along = {
            kind: [direction(network.cell, self.root_seed, number) for number in some] for kind, some in numbers.items()
        }
        diagonals = any(one.transport == "first_order" for one in passes)
        for half, rows in enumerate(self.halves):
            x = inputs[rows]
            immediate = self.engine.trace(network.cell, parameters, x, along["immediate"], "immediate", diagonals)
            total = (
                self.engine.trace(network.cell, parameters, x, along["total"], "total", False)
                if along["total"]
                else repeat(None)
            )
            for part, other in zip(immediate, total, strict=False):
                projected = {
                    (kind, number): values
                    for kind, traced in (("immediate", part), ("total", other))
                    if traced is not None
                    for number, values in zip(numbers[kind], traced.projected, strict=True)
                }
                gradient = network.readout_gradient(parameters, part.states[:, 1:])
                for number in sorted(of_total):
                    slope = (gradient * projected["total", number]).sum(-1)
                    self.slopes.setdefault(number, []).append(slope)
                for one in passes:
                    self._add(one, half, rows.start, part, gradient, projected, first)
        for one in passes:
            self._collect(one, first)

    def _total(self, index: int, first: bool) -> Sequence[int]:
        """Directions along which the whole gradient is wanted."""
        return self.requests[index].directions if first and self.requests[index].options.noise == "total" else ()

    def _add(
        self,
        one: _Pass,
        half: int,
        start: int,
        part: Trajectory,
        gradient: Tensor,
        projected: Mapping[tuple[str, int], Tensor],
        first: bool,
    ) -> None:
        cell, parameters = self.frozen.network.cell, self.frozen.parameters
        by_diagonals = one.transport == "first_order"
        units = cell.hidden_size if by_diagonals else cell.state_size
        ones = torch.ones(len(one.lags), units, dtype=torch.float64)
        rows = slice(start + part.rows.start, start + min(part.rows.stop, part.rows.start + len(part.inputs)))
        signs = [
            torch.cat([own := one.signs[probe.signs][half], ones[len(own) :]]) if probe.signs else ones
            for probe in one.probes
        ]
        along = [projected[probe.kind, probe.number] for probe in one.probes]
        signals = one.error_signals(self.signals)
        probes = Probes(
            gradient=cell.output(gradient) if by_diagonals else gradient,
            projected=[cell.memory(each) for each in along] if by_diagonals else along,
            signs=torch.stack(signs),
            errors=self.errors[:, rows][signals],
            aligned=[(signals.index(self.signals[index]), one.probes.index(probe)) for index, probe in one.pairs],
            kept=len(one.kept),
        )
        if by_diagonals and first and all(self.requests[index].per_unit for index in one.requests):
            nothing = torch.empty(0)
            one.parts.append((half, Derivatives(nothing, nothing, self.engine.alignment(probes, one.lags), nothing)))
        elif by_diagonals:
            reset = part.diagonals.reset if one.rates == "eq26" else None
            diagonals = part.diagonals._replace(reset=reset)
            self._hold(one, half, rows, self.engine.first_order(diagonals, probes, one.lags))
        else:
            self._hold(one, half, rows, self.engine.exact(cell, parameters, part, probes, one.lags))

    def _hold(self, one: _Pass, half: int, rows: slice, part: Derivatives) -> None:
        """Keep sums, and D at each t where it is wanted."""
        for column, count in enumerate(one.kept):
            key, values = (one.transport, one.rates, one.probes[column]), part.values[column, :count]
            if key not in self.values:
                exponents = values.abs().amax((1, 2), keepdim=True).double().frexp().exponent
                self.values[key] = _Held(torch.empty(count, *self.errors.shape[1:]), exponents)
            held, exponents = self.values[key]
            held[:, rows] = torch.ldexp(values.double(), -exponents).float()
        one.parts.append((half, part._replace(values=torch.empty(0))))

    def _collect(self, one: _Pass, first: bool) -> None:
        for row, (request, probe) in enumerate(one.pairs):
            halves = [
                torch.stack([part.alignment[row] for half, part in one.parts if half == number]).sum(0)
                for number in range(len(self.halves))
            ]
            self.alignments[request, probe] = torch.stack(halves)
        derivatives = [part for _, part in one.parts]
        if not derivatives[0].sums.numel():
            return
        key, magnitude = (one.transport, one.rates), torch.stack([part.magnitude for part in derivatives]).sum(0)
        if len(magnitude) > len(self.magnitudes.get(key, ())):
            self.magnitudes[key] = magnitude
        signals = one.error_signals(self.signals)
        for index in one.requests:
            for number in self.requests[index].directions:
                own = self.probes.get((index, number))
                if own is not None and own in one.probes:
                    place = signals.index(self.signals[index]), one.probes.index(own)
                    self.sums[index, own] = torch.cat([part.sums[place] for part in derivatives], -1)

    # What comes out

    def dataset(self, index: int, base_rate: float) -> xr.Dataset:
        """The statistic of a request."""
        request, options = self.requests[index], self.requests[index].options
        duration, sequences = self.errors.shape[2], self.errors.shape[1]
        times, lags = np.array(request.times(duration)), np.array(request.lags)
        rate = base_rate if options.base_rate else 1.0
        probes = [self.probes[index, number] for number in request.directions]
        means = torch.stack([self.sums[index, probe][: len(lags)] for probe in probes]).numpy() * (rate / len(times))
        coordinates = {"lag": ("lag", lags.astype(np.int32), {"units": "steps"})}
        at_each_t = options.sampling != "sequence_mean"
        if at_each_t:
            coordinates["time"] = "time", times.astype(np.int32), {"units": "steps"}
        statistic = self._at_each_t(index, probes, times, rate) if at_each_t else means
        found: dict[str, tuple[object, np.ndarray]] = {}
        dimensions = ("direction", "lag", "sequence", *(("time",) if at_each_t else ()))
        if options.orientation == "global":
            orientation = np.empty(means.shape)
            for own, source in request.options.sign_groups(sequences):
                orientation[..., own] = np.sign(means[..., source].sum(-1, keepdims=True))
            statistic *= orientation[..., None] if at_each_t else orientation
            found["orientation"] = ("direction", "lag", "sequence"), orientation
        found["statistic"] = dimensions, statistic
        if options.noise == "total":
            found["total"] = self._whole(index, times, rate)
        pairs = sequences * np.array([(times > lag).sum() for lag in lags])
        found |= self._product(index, pairs, rate, sequences * len(times) if not at_each_t else pairs)
        return xr.Dataset(found, coordinates, {"base_rate": rate})

    def _at_each_t(
        self, index: int, probes: Sequence[_Probe], times: np.ndarray, rate: float
    ) -> Float64[np.ndarray, "direction lag sequence time"]:
        request = self.requests[index]
        errors = rate * self.errors[self.signals[index]][:, times - 1].numpy()
        statistic = np.empty((len(probes), len(request.lags), *errors.shape))
        for place, probe in enumerate(probes):
            held, exponents = self.values[request.options.transport, self._rates(request), probe]
            for row in range(len(request.lags)):
                values = torch.ldexp(held[row].double(), exponents[row]).numpy()
                np.multiply(values[:, times - 1], errors, out=statistic[place, row])
        return statistic

    def _whole(self, index: int, times: np.ndarray, rate: float) -> tuple[tuple[str, ...], np.ndarray]:
        """The gradient of the loss at t along w, or its mean over t."""
        request, errors = self.requests[index], self.errors[self.signals[index]]
        slopes = torch.stack([torch.cat(self.slopes[number]) for number in request.directions])
        if request.options.sampling == "sequence_mean":
            means = torch.einsum("dst,st->ds", slopes, errors) / len(times)
            return ("direction", "sequence"), rate * means.numpy()
        return ("direction", "sequence", "time"), rate * (slopes * errors)[..., times - 1].numpy()

    def _product(
        self, index: int, pairs: np.ndarray, rate: float, counted: np.ndarray | int
    ) -> dict[str, tuple[object, np.ndarray]]:
        """Alignment, m̄ f̂ and the envelope.

        Args:
            pairs: (t, sequence) of each lag.
            counted: those over which the mean of S is taken.
        """
        request = self.requests[index]
        lags, shape = np.array(request.lags), self.errors.shape[1:]
        magnitude = self.magnitudes[request.options.transport, self._rates(request)][: len(lags)].numpy()
        magnitude = magnitude / (shape[0] * (shape[1] - lags)).reshape(-1, *[1] * (magnitude.ndim - 1))
        gain = magnitude if magnitude.ndim == 1 else magnitude.sum(-1)
        found: dict[str, tuple[object, np.ndarray]] = {"envelope": ("lag", rate * gain)}
        if request.product:
            plain = [_Probe(request.options.parameter_jacobian, number) for number in request.directions]
            sums = torch.stack([self.alignments[index, probe].sum(0)[: len(lags)] for probe in plain]).numpy()
            alignment = sums / pairs[:, None]
            weighted = np.abs(alignment) if magnitude.ndim == 1 else magnitude * np.abs(alignment)
            found["alignment"] = ("direction", "lag", "unit"), alignment
            found["product"] = ("direction", "lag"), rate * weighted.sum(-1) * (pairs / counted)
        return found
