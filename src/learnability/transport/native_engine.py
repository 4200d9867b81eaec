"""Measurement in C++, one thread: `trajectory.cpp` and `exact.cpp`, each compiled for one network, and `windows.cpp`.

Trajectories lie in memory as (unit, time, sequence), the sequences of one tile side by side; to torch they are views of
the usual shape (sequence, time, unit). What is summed is taken sequence by sequence.
"""

import ctypes
from collections.abc import Iterator, Sequence
from itertools import repeat
from pathlib import Path

import torch
from jaxtyping import Float, Float64
from torch import Tensor

from learnability.cells import Cell, Diagonals, Parameters
from learnability.cells.native import NativeCell, vectors_and_weights
from learnability.core.compiled import load
from learnability.core.errors import InputError, lookup
from learnability.transport.engine import Covectors, Derivatives, Engine, Probes, Trajectory

TRAJECTORY, WINDOWS, EXACT = (Path(__file__).with_name(f"{name}.cpp") for name in ("trajectory", "windows", "exact"))
PRECISIONS = {"single": (torch.float32, "float"), "double": (torch.float64, "double")}


class _Diagonals(ctypes.Structure):
    """`Diagonals` of windows.cpp."""

    _fields_ = [(name, ctypes.c_void_p) for name in Diagonals._fields]


class _Probes(ctypes.Structure):
    """`Probes` of windows.cpp and exact.cpp."""

    _fields_ = [
        *((name, ctypes.c_void_p) for name in ("gradient", "projected", "signs", "errors", "aligned")),
        *((name, ctypes.c_int) for name in ("probes", "error_signals", "pairs", "kept")),
    ]


class _Grid(ctypes.Structure):
    """`Grid` of windows.cpp."""

    _fields_ = [("time", ctypes.c_int), ("units", ctypes.c_int), ("lags", ctypes.c_void_p), ("count", ctypes.c_int)]


class _Strides(ctypes.Structure):
    """`Strides` of windows.cpp."""

    _fields_ = [(name, ctypes.c_long) for name in ("gradient", "time", "unit")]


class _Derivatives(ctypes.Structure):
    """`Derivatives` of windows.cpp and exact.cpp."""

    _fields_ = [
        *((name, ctypes.c_void_p) for name in ("values", "sums", "alignment", "magnitude")),
        ("apart", ctypes.c_long),
    ]


class NativeEngine(Engine):
    """A tile of sequences at a time.

    Args:
        precision: of exact transport, `single` or `double`; the rest is float64, as first-order products fall below
            what float32 can hold.

    Raises:
        InputError: for another precision, without a C++ compiler, or for a cell that `native.hpp` does not have.
    """

    @classmethod
    def fault(cls, cell: Cell, precision: str = "single") -> str:
        """The reason why the engine does not measure a cell on this machine; empty if it does."""
        try:
            NativeCell(cell).load(TRAJECTORY)
            NativeCell(cell).load(EXACT, REAL=cls(precision)._real)  # an engine loads the windows themselves
        except InputError as error:
            return str(error)
        return ""

    def __init__(self, precision: str = "single") -> None:
        self._dtype, self._real = lookup(PRECISIONS, "precision", precision)
        self._windows = load(WINDOWS)

    def trace(
        self,
        cell: Cell,
        parameters: Parameters,
        inputs: Float[Tensor, "sequence time input"],
        directions: Sequence[Parameters] = (),
        kind: str = "immediate",
        diagonals: bool = True,
    ) -> Iterator[Trajectory]:
        native = NativeCell(cell)
        library = native.load(TRAJECTORY)
        tile, time, units = library.tile(), inputs.shape[1], cell.hidden_size
        parameters, *directions = ({name: p.double() for name, p in w.items()} for w in (parameters, *directions))
        flat = native.flat(parameters)
        self_weights = torch.stack([rows[:, :units].expand(units, -1).diagonal() for rows in native.rows(parameters)])
        along = torch.stack([native.flat(w) for w in directions]) if directions else torch.empty(0)
        names = native.diagonals
        sizes = cell.state_size, len(names) * units * diagonals
        for start in range(0, len(inputs), tile):
            rows = slice(start, start + tile)
            x = inputs[rows].double().contiguous()
            arrays = [torch.empty(size, time + 1, tile, dtype=torch.float64) for size in sizes]
            projections = torch.empty(len(directions), tile, time, cell.state_size, dtype=torch.float64)
            library.trace(
                *(
                    len(x),
                    time,
                    _pointer(x),
                    _pointer(flat),
                    _pointer(self_weights),
                    ctypes.c_double(native.constant_gate),
                ),
                *(_pointer(along), len(directions), kind == "total", ctypes.c_long((time + 1) * tile)),
                *map(_pointer, (*arrays, projections)),
            )
            states, flat_diagonals = (array.transpose(-1, -3)[: len(x)] for array in arrays)
            parts = dict(zip(names, flat_diagonals[:, :time].tensor_split(len(names), -1), strict=True))
            yield Trajectory(rows, x, states, Diagonals(**parts), projections[:, : len(x)])

    def rates(self, diagonals: Diagonals, lags: Sequence[int]) -> Float64[Tensor, "quantity lag unit"]:
        numbers, (_, time, units) = torch.tensor(lags, dtype=torch.int32), diagonals.retention.shape
        grid = _Grid(time, units, _pointer(numbers), len(lags))
        sums = torch.zeros(3 if diagonals.reset is None else 6, len(lags), units, dtype=torch.float64)
        for c_diagonals in _sequence_diagonals(diagonals):
            self._windows.add_rates(c_diagonals, grid, _pointer(sums))
        return sums

    def alignment(self, probes: Probes, lags: Sequence[int]) -> Float64[Tensor, "pair lag unit"]:
        numbers, (_, time, units) = torch.tensor(lags, dtype=torch.int32), probes.gradient.shape
        grid = _Grid(time, units, _pointer(numbers), len(lags))
        sums = torch.zeros(len(probes.aligned), len(lags), units, dtype=torch.float64)
        for c_probes, strides in _probes_and_strides(probes):
            self._windows.add_alignment(c_probes, strides, grid, _pointer(sums))
        return sums

    def first_order(self, diagonals: Diagonals, probes: Probes, lags: Sequence[int]) -> Derivatives:
        numbers, (_, time, units) = torch.tensor(lags, dtype=torch.int32), probes.gradient.shape
        grid = _Grid(time, units, _pointer(numbers), len(lags))
        derivatives = _zeros(probes, (len(lags), units), torch.float64)
        parts = zip(
            _sequence_diagonals(diagonals), _probes_and_strides(probes), _sequence_derivatives(derivatives), strict=True
        )
        for c_diagonals, (c_probes, strides), to in parts:
            self._windows.add_first_order(c_diagonals, c_probes, strides, grid, to)
        return derivatives

    def exact(
        self, cell: Cell, parameters: Parameters, trajectory: Trajectory, probes: Probes, lags: Sequence[int]
    ) -> Derivatives:
        grid, time = torch.tensor(lags, dtype=torch.int32), probes.gradient.shape[1]
        library = NativeCell(cell).load(EXACT, REAL=self._real)
        derivatives = _zeros(probes, (len(lags),), self._dtype)
        gradient, signs = (tensor.to(self._dtype).contiguous() for tensor in (probes.gradient, probes.signs))
        projections = [projection.contiguous() for projection in probes.projected]
        all_probes = _sequence_probes(probes._replace(gradient=gradient, projected=projections, signs=signs))
        steps = self._steps(cell, parameters, trajectory)
        for (vectors, weights), c_probes, to in zip(steps, all_probes, _sequence_derivatives(derivatives), strict=True):
            library.add_exact(time, _pointer(vectors), _pointer(weights), c_probes, _pointer(grid), len(lags), to)
        return derivatives

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
        is_exact, (_, time, size) = transport == "exact", gradient.shape
        library, grid = (
            NativeCell(cell).load(EXACT, REAL=self._real),
            torch.tensor(lags if is_exact else [], dtype=torch.int32),
        )
        rho, errors = gradient.to(self._dtype).contiguous(), errors.transpose(0, 1).contiguous()
        by_windows = repeat(None) if is_exact else self._first_order_covectors(trajectory, cell.output(gradient), lags)
        steps = self._steps(cell, parameters, trajectory)
        for n, ((vectors, weights), values) in enumerate(zip(steps, by_windows, strict=False)):
            row_vectors = torch.zeros(len(grid), time, size, dtype=self._dtype)
            scales = torch.ones(len(lags), time, dtype=torch.float64)
            whole = torch.empty(errors.shape[1], time, size, dtype=self._dtype)
            library.carry_exact(
                *(time, _pointer(vectors), _pointer(weights), _pointer(rho[n]), _pointer(errors[n]), errors.shape[1]),
                *(_pointer(grid), len(grid), _pointer(row_vectors), _pointer(scales), _pointer(whole)),
            )
            yield Covectors(row_vectors if values is None else values, scales, whole)

    def _first_order_covectors(
        self, trajectory: Trajectory, gradient: Float64[Tensor, "sequence time unit"], lags: Sequence[int]
    ) -> Iterator[Float64[Tensor, "lag time unit"]]:
        numbers, (_, time, units) = torch.tensor(lags, dtype=torch.int32), gradient.shape
        grid, rho = _Grid(time, units, _pointer(numbers), len(lags)), gradient.contiguous()
        for c_diagonals, row in zip(_sequence_diagonals(trajectory.diagonals._replace(reset=None)), rho, strict=True):
            values = torch.zeros(len(lags), time, units, dtype=torch.float64)
            self._windows.carry_first_order(c_diagonals, _pointer(row), grid, _pointer(values))
            yield values

    def _steps(self, cell: Cell, parameters: Parameters, trajectory: Trajectory) -> Iterator[tuple[Tensor, Tensor]]:
        """Yield vectors and weights of a sequence at a time for `exact.cpp`: no number depends on other sequences."""
        theta = {name: p.to(self._dtype) for name, p in parameters.items()}
        states, inputs = (
            tensor.to(self._dtype).contiguous() for tensor in (trajectory.states[:, :-1], trajectory.inputs)
        )
        for state, x in zip(states, inputs, strict=True):
            yield vectors_and_weights(cell.linearize(theta, state, x))


def _pointer(tensor: Tensor) -> ctypes.c_void_p:
    return ctypes.c_void_p(tensor.data_ptr())


def _sequence_diagonals(diagonals: Diagonals) -> Iterator[_Diagonals]:
    """Yield the diagonals of each sequence, (unit, time), as C++ takes them."""
    arrays = [None if diagonal is None else diagonal.mT.contiguous() for diagonal in diagonals]
    for n in range(len(diagonals.retention)):
        yield _Diagonals(*(None if array is None else array[n].data_ptr() for array in arrays))


def _probes_and_strides(probes: Probes) -> Iterator[tuple[_Probes, _Strides]]:
    """Yield the probes of each sequence with their strides."""
    gradient, projections = probes.gradient, probes.projected
    if gradient.stride()[1:] != (0, 1):  # not the same at all t
        gradient = gradient.contiguous()
    if len({projection.stride() for projection in projections}) > 1:
        projections = [projection.contiguous() for projection in projections]
    strides = _Strides(gradient.stride(1), *projections[0].stride()[1:])
    return (
        (c_probes, strides) for c_probes in _sequence_probes(probes._replace(gradient=gradient, projected=projections))
    )


def _sequence_probes(probes: Probes) -> Iterator[_Probes]:
    """Yield the probes of each sequence as C++ takes them."""
    gradient, signs, errors = probes.gradient, probes.signs.contiguous(), probes.errors.transpose(0, 1).contiguous()
    pairs = torch.tensor(probes.aligned, dtype=torch.int32)
    sizes = len(signs), len(probes.errors), len(probes.aligned), probes.kept
    for n in range(len(gradient)):
        addresses = torch.tensor([projection[n].data_ptr() for projection in probes.projected])
        yield _Probes(*map(_pointer, (gradient[n], addresses, signs, errors[n], pairs)), *sizes)


def _zeros(probes: Probes, magnitude: tuple[int, ...], dtype: torch.dtype) -> Derivatives:
    """Derivatives of 0, to which C++ adds."""
    (_, lags, units), (errors, sequences, time) = probes.signs.shape, probes.errors.shape
    return Derivatives(
        torch.zeros(probes.kept, lags, sequences, time, dtype=dtype),
        torch.zeros(sequences, errors, len(probes.signs), lags, dtype=torch.float64).permute(1, 2, 3, 0),
        torch.zeros(len(probes.aligned), lags, units, dtype=torch.float64),
        torch.zeros(magnitude, dtype=torch.float64),
    )


def _sequence_derivatives(to: Derivatives) -> Iterator[_Derivatives]:
    """Yield the part of each sequence as C++ takes it; sums over sequences are shared."""
    for n in range(to.sums.shape[-1]):
        parts = to.values[:, :, n], to.sums[..., n], to.alignment, to.magnitude
        yield _Derivatives(*map(_pointer, parts), to.values.stride(1))
