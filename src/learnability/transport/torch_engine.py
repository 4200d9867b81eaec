"""Measurement by torch: the cells' own formulas, block by block of time, and `windows`."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import torch
from jaxtyping import Float, Float64
from torch import Tensor

from learnability.cells import Cell, Diagonals, Linearization, Parameters
from learnability.core.errors import require
from learnability.core.memory import BLOCK_BYTES, items_within
from learnability.networks.network import Network, hidden_units, run
from learnability.transport.attention import attended_gradients
from learnability.transport.engine import (
    Covectors,
    Derivatives,
    Engine,
    Probes,
    SequenceGradient,
    Trajectory,
    error_signals,
)
from learnability.transport.exact import exact_sums, row_vectors, whole_gradient
from learnability.transport.windows import Factors, Window, windows

SEQUENCES = 256
"""Sequences run together: wide enough for an efficient matrix product."""
STEPS = 16
"""Steps linearised together: few enough for their factors to stay in cache."""
CROSSING_SEQUENCES = 32
"""Sequences whose row vectors cross the lags together: their steps stay in a few tens of MiB."""
ATTENDING_SEQUENCES = 8
"""Sequences whose gradients cross recurrence and attention together: of 256 steps and 32 units up to 1 GiB."""
CACHED_NUMBERS = 2**16
"""Numbers a pass over windows touches at once (0.5 MiB): its working set stays in cache."""


class TorchEngine(Engine):
    """Runs anywhere; the oracle of `NativeEngine`.

    Of cells with attention it has predictions and gradients, whose transport is `exact`; the rest is of cells whose
    state is one tensor.

    Args:
        block_bytes: memory of the row vectors of sequences that cross the lags together.
    """

    def __init__(self, block_bytes: int = BLOCK_BYTES) -> None:
        self.block_bytes = block_bytes

    def predictions(
        self, network: Network, parameters: Parameters, inputs: Float[Tensor, "sequence time input"]
    ) -> Float64[Tensor, "sequence time *output"]:
        if not network.cell.attends:
            return super().predictions(network, parameters, inputs)
        parts = inputs.double().split(SEQUENCES)
        return torch.cat([network.read_out(parameters, hidden_units(network.cell, parameters, x)) for x in parts])

    def gradients(
        self,
        network: Network,
        parameters: Parameters,
        inputs: Float[Tensor, "sequence time input"],
        errors: Float64[Tensor, "error sequence time *output"],
        lags: Sequence[int],
        transport: str,
    ) -> Iterator[SequenceGradient]:
        cell: Any = network.cell
        if not cell.attends:
            yield from super().gradients(network, parameters, inputs, errors, lags, transport)
            return
        require(transport == "exact", "transport", "exact through attention", transport)
        read = getattr(cell, "readout_from", "h")
        require(read != "both", "readout_from", "'h' where gradients across lags are measured", read)
        for start in range(0, len(inputs), ATTENDING_SEQUENCES):
            rows = slice(start, start + ATTENDING_SEQUENCES)
            x = inputs[rows].double()
            hidden = x.new_empty(*x.shape[:2], cell.hidden_size)
            signals = error_signals(partial(network.output_gradient, parameters, hidden), errors[:, rows])
            of_signals = [attended_gradients(cell, parameters, x, rho, e, lags) for rho, e in signals]
            yield from map(SequenceGradient.join, zip(*of_signals, strict=True))

    def trace(
        self,
        cell: Cell,
        parameters: Parameters,
        inputs: Float[Tensor, "sequence time input"],
        directions: Sequence[Parameters] = (),
        kind: str = "immediate",
        diagonals: bool = True,
    ) -> Iterator[Trajectory]:
        for start in range(0, len(inputs), SEQUENCES):
            rows = slice(start, start + SEQUENCES)
            x = inputs[rows].double()
            states = run(cell, parameters, x)
            blocks: list[Diagonals] = []
            projections: list[list[Tensor]] = [[] for _ in directions]
            for block in linearizations(cell, parameters, states, x):
                if diagonals:
                    blocks.append(block.diagonals())
                for w, parts in zip(directions, projections, strict=True):
                    before = parts[-1][:, -1] if parts else torch.zeros_like(states[:, 0])
                    parts.append(projected_parameter_jacobian(block, w, kind, before))
            empty = x.new_empty(*x.shape[:2], 0)
            all_diagonals = _join(blocks) if diagonals else Diagonals(empty, empty)
            along = [torch.cat(parts, 1) for parts in projections]
            yield Trajectory(
                rows, x, states, all_diagonals, torch.stack(along) if along else x.new_empty(0, *states[:, 1:].shape)
            )

    def rates(self, diagonals: Diagonals, lags: Sequence[int]) -> Float64[Tensor, "quantity lag unit"]:
        quantities = 3 if diagonals.reset is None else 6
        sums = diagonals.retention.new_zeros(quantities, len(lags), diagonals.retention.shape[-1])
        for _, factors in _cached(diagonals):
            for index, (_, window) in enumerate(windows(factors, lags)):
                for quantity, values in enumerate(_quantities(window.at(slice(1, None)))):
                    sums[quantity, index] += values.sum((0, 1))
        return sums

    def alignment(self, probes: Probes, lags: Sequence[int]) -> Float64[Tensor, "pair lag unit"]:
        sums = probes.gradient.new_zeros(len(probes.aligned), len(lags), probes.gradient.shape[-1])
        for pair, (error, probe) in enumerate(probes.aligned):
            delta, p = probes.errors[error, ..., None] * probes.gradient, probes.projected[probe]
            for index, lag in enumerate(lags):
                sums[pair, index] = (delta[:, lag:] * p[:, : p.shape[1] - lag]).sum((0, 1))
        return sums

    def first_order(self, diagonals: Diagonals, probes: Probes, lags: Sequence[int]) -> Derivatives:
        rho, p, signs = probes.gradient, torch.stack([*probes.projected]), probes.signs
        values, magnitude = rho.new_zeros(*signs.shape[:2], *rho.shape[:2]), torch.zeros_like(signs[0])
        for rows, factors in _cached(diagonals):
            for index, (lag, window) in enumerate(windows(factors, lags)):
                mu = window.at(slice(1, None)).rates
                magnitude[index] += mu.abs().sum((0, 1))
                zeta = rho[rows, lag:] * p[:, rows, : p.shape[2] - lag]
                values[:, index, rows, lag:] = torch.einsum("pstu,pu->pst", mu * zeta, signs[:, index])
        sums = torch.einsum("est,plst->epls", probes.errors, values)
        return Derivatives(values[: probes.kept], sums, self.alignment(probes, lags), magnitude)

    def exact(
        self, cell: Cell, parameters: Parameters, trajectory: Trajectory, probes: Probes, lags: Sequence[int]
    ) -> Derivatives:
        parts = []
        together = self._together((1 + len(probes.projected)) * probes.gradient[0].nbytes)
        for start in range(0, len(probes.gradient), together):
            rows = slice(start, start + together)
            steps = cell.linearize(parameters, trajectory.states[rows, :-1], trajectory.inputs[rows])
            block_probes = probes._replace(
                gradient=probes.gradient[rows],
                projected=[projection[rows] for projection in probes.projected],
                errors=probes.errors[:, rows],
            )
            parts.append(exact_sums(steps, block_probes, lags))
        return Derivatives.join(parts)

    def covectors(
        self,
        cell: Cell,
        parameters: Parameters,
        trajectory: Trajectory,
        gradient: Float64[Tensor, "sequence time state"],
        errors: Float64[Tensor, "error sequence time"],
        lags: Sequence[int],
        transport: str,
    ) -> Iterator[Covectors]:
        together, wide = self._together(len(lags) * gradient[0].nbytes), slice(0, 0)
        for start in range(0, len(gradient), together):
            rows = slice(start, start + together)
            rho = gradient[rows]
            steps = cell.linearize(parameters, trajectory.states[rows, :-1], trajectory.inputs[rows])
            if start >= wide.stop:  # the whole goes step by step, and for many sequences at once
                count = max(1, items_within(len(errors) * gradient[0].nbytes, self.block_bytes) // together)
                wide = slice(start, start + count * together)
                all_steps = cell.linearize(parameters, trajectory.states[wide, :-1], trajectory.inputs[wide])
                wholes = [self._whole(all_steps, e[wide, :, None] * gradient[wide]) for e in errors]
            if transport == "exact":
                vectors = row_vectors(steps, rho, lags)
            else:
                strict = trajectory.diagonals._replace(reset=None)
                block_diagonals = {
                    name: diagonal[rows] for name, diagonal in strict._asdict().items() if diagonal is not None
                }
                mu = windows(Factors.of(Diagonals(**block_diagonals)), lags)
                vectors = ((lag, window.at(slice(1, None)).rates * cell.output(rho)[:, lag:]) for lag, window in mu)
            by_lag = [torch.nn.functional.pad(v, (0, 0, 0, lag)) for lag, v in vectors]
            whole = [all_rows[start - wide.start : rows.stop - wide.start] for all_rows in wholes]
            for values, sequence_whole in zip(torch.stack(by_lag, 1), torch.stack(whole, 1), strict=True):
                yield Covectors(values, values.new_ones(values.shape[:2]), sequence_whole)

    def _whole(self, steps: Linearization, error_signal: Tensor) -> Float[Tensor, "sequence time state"]:
        """`whole_gradient`, which an engine may remember."""
        return whole_gradient(steps, error_signal)

    def _together(self, sequence_bytes: int) -> int:
        """Sequences that cross the lags together, each with row vectors of so many bytes, held twice."""
        return min(CROSSING_SEQUENCES, items_within(2 * sequence_bytes, self.block_bytes))


def linearizations(
    cell: Cell,
    parameters: Parameters,
    states: Float64[Tensor, "sequence start_and_time state"],
    inputs: Float64[Tensor, "sequence time input"],
) -> Iterator[Linearization]:
    """Steps t = 1, …, T to first order, block by block; each block is over (sequence, time)."""
    for start in range(0, inputs.shape[1], STEPS):
        steps = slice(start, min(start + STEPS, inputs.shape[1]))
        yield cell.linearize(parameters, states[:, steps], inputs[:, steps])


def projected_parameter_jacobian(
    block: Linearization, w: Parameters, kind: str, before: Float64[Tensor, "sequence state"]
) -> Float64[Tensor, "sequence time state"]:
    """⟨B_t, w⟩ at the steps of a block, `immediate` or `total` (see `Engine.trace`).

    Args:
        before: ⟨B_t, w⟩ at the last step before the block; only `total` uses it.
    """
    immediate = block.along_parameters(w)
    if kind == "immediate":
        return immediate
    tangents = []
    for t in range(immediate.shape[1]):
        before = block[:, t].along_state(before) + immediate[:, t]
        tangents.append(before)
    return torch.stack(tangents, 1)


def _join(blocks: list[Diagonals]) -> Diagonals:
    """Diagonals over blocks of time, put together."""
    present = [name for name in Diagonals._fields if getattr(blocks[0], name) is not None]
    return Diagonals(**{name: torch.cat([getattr(block, name) for block in blocks], 1) for name in present})


def _quantities(window: Window) -> list[Tensor]:
    """Quantities that `Engine.rates` sums."""
    quantities = [window.zeroth, window.first, window.strict.abs_()]
    return (
        quantities if window.reset is None else [*quantities, window.reset, window.reset_retention, window.rates.abs_()]
    )


def _cached(diagonals: Diagonals) -> Iterator[tuple[slice, Factors]]:
    """Sequences whose windows stay in cache together, and the factors of these."""
    factors = Factors.of(diagonals)
    count, time, units = factors.inner.zeroth.shape
    size = max(1, CACHED_NUMBERS // (time * units))
    for start in range(0, count, size):
        rows = slice(start, start + size)
        inner, last, first = factors
        yield rows, Factors(inner.taken(rows), last and last.taken(rows), None if first is None else first[rows])
