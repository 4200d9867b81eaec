"""Measurement in C++, float64, one thread: `trajectory.cpp`, `exact.cpp`, each compiled for one network, `windows.cpp`.

Arrays lie in memory as (unit, time, sequence), the sequences of one tile side by side; to torch they are views of the
usual shape (sequence, time, unit).
"""

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Float64, Int64
from torch import Tensor

from learnability.cells import Cell, Diagonals, Parameters
from learnability.cells.native import NativeCell
from learnability.compiled import load
from learnability.errors import require
from learnability.transport.engine import Engine, StatisticSums, Trajectory

TRAJECTORY, WINDOWS, EXACT = (Path(__file__).with_name(f"{name}.cpp") for name in ("trajectory", "windows", "exact"))


class _Diagonals(ctypes.Structure):
    """`Diagonals` of windows.cpp."""

    _fields_ = [(name, ctypes.c_void_p) for name in Diagonals._fields]


class _Layout(ctypes.Structure):
    """`Layout` of windows.cpp and exact.cpp."""

    _fields_ = [
        *((name, ctypes.c_int) for name in ("sequences", "time", "units", "tile")),
        ("stride", ctypes.c_long),
    ]


class _Signal(ctypes.Structure):
    """`Signal` of windows.cpp and exact.cpp."""

    _fields_ = [
        *((name, ctypes.c_void_p) for name in ("projected", "delta", "ends")),
        *((name, ctypes.c_int) for name in ("kept", "directions")),
        ("apart", ctypes.c_long),
    ]


class NativeEngine(Engine):
    """A tile of sequences at a time.

    Raises:
        InputError: without a C++ compiler, or for a cell that `native.hpp` does not have.
    """

    def __init__(self) -> None:
        self._windows = load(WINDOWS)
        for function in (self._windows.add_rates, self._windows.add_alignment, self._windows.add_statistic):
            function.restype = None

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
        matrix = native.matrix(parameters).double()
        own = torch.stack([parameters[f"U_{k}"].double().expand(units, -1).diagonal() for k in native.paths])
        along = torch.stack([native.matrix(w).double() for w in directions]) if directions else torch.empty(0)
        names = native.diagonals
        sizes = (cell.state_size,), (len(names) * units * diagonals,), (len(directions), cell.state_size)
        for start in range(0, len(inputs), tile):
            rows = slice(start, start + tile)
            x = inputs[rows].double().contiguous()
            arrays = [torch.empty(*size, time + 1, tile, dtype=torch.float64) for size in sizes]
            library.trace(
                *(len(x), time, _pointer(x), _pointer(matrix), _pointer(own), ctypes.c_double(native.constant_gate)),
                *(_pointer(along), len(directions), kind == "total", ctypes.c_long((time + 1) * tile)),
                *map(_pointer, arrays),
            )
            states, found, projected = (array.transpose(-1, -3)[..., : len(x), :, :] for array in arrays)
            parts = dict(zip(names, found[:, :time].tensor_split(len(names), -1), strict=True))
            yield Trajectory(rows, x, states, Diagonals(**parts), projected[:, :, :time])

    def rates(self, diagonals: Diagonals, lags: Sequence[int]) -> Float64[Tensor, "quantity lag unit"]:
        grid, layout = torch.tensor(lags, dtype=torch.int32), _layout(diagonals.retention)
        sums = torch.zeros(len(lags), layout.units, 3 if diagonals.reset is None else 6, dtype=torch.float64)
        self._windows.add_rates(_pointers(diagonals), layout, _pointer(grid), len(lags), _pointer(sums))
        return sums.permute(2, 0, 1)

    def alignment(
        self,
        projected: Float64[Tensor, "direction sequence time unit"],
        delta: Float64[Tensor, "sequence end unit"],
        ends: Int64[Tensor, "end"],
        lags: Sequence[int],
    ) -> Float64[Tensor, "direction lag unit"]:
        grid, layout = torch.tensor(lags, dtype=torch.int32), _layout(projected[0])
        sums = torch.zeros(len(projected), len(lags), layout.units, dtype=torch.float64)
        held, signal = _signal(projected, delta, ends, layout)
        self._windows.add_alignment(signal, layout, _pointer(grid), len(lags), _pointer(sums))
        del held
        return sums

    def statistic(
        self,
        diagonals: Diagonals,
        projected: Float64[Tensor, "direction sequence time unit"],
        delta: Float64[Tensor, "sequence end unit"],
        signs: Float64[Tensor, "direction lag unit"],
        ends: Int64[Tensor, "end"],
        lags: Sequence[int],
    ) -> StatisticSums:
        grid, layout, o = torch.tensor(lags, dtype=torch.int32), _layout(diagonals.retention), signs.contiguous()
        statistic = torch.zeros(len(ends), *o.shape[:2], layout.tile, dtype=torch.float64)
        magnitude = torch.zeros(len(lags), layout.units, dtype=torch.float64)
        held, signal = _signal(projected, delta, ends, layout)
        self._windows.add_statistic(
            *(_pointers(diagonals), signal, layout, _pointer(o), _pointer(grid), len(lags)),
            *(_pointer(statistic), _pointer(magnitude)),
        )
        del held
        return StatisticSums(_by_lag(statistic, layout), self.alignment(projected, delta, ends, lags), magnitude)

    def exact(
        self,
        cell: Cell,
        parameters: Parameters,
        trajectory: Trajectory,
        delta: Float64[Tensor, "sequence end state"],
        signs: Float64[Tensor, "direction lag state"],
        ends: slice,
        lags: Sequence[int],
    ) -> StatisticSums:
        grid, layout, o = torch.tensor(lags, dtype=torch.int32), _layout(trajectory.projected[0]), signs.contiguous()
        at = torch.arange(ends.start, ends.stop, ends.step)
        statistic = torch.zeros(len(at), *o.shape[:2], layout.tile, dtype=torch.float64)
        alignment, magnitude = torch.zeros_like(o), torch.zeros(len(lags), dtype=torch.float64)
        with _retaken(cell, parameters, trajectory, delta, at, layout) as (library, retaken):
            library.add_exact(
                *(*retaken, _pointer(o), _pointer(grid), len(lags)),
                *(_pointer(statistic), _pointer(alignment), _pointer(magnitude)),
            )
        return StatisticSums(_by_lag(statistic, layout), alignment, magnitude)

    def gradient(
        self,
        cell: Cell,
        parameters: Parameters,
        trajectory: Trajectory,
        delta: Float64[Tensor, "sequence end state"],
        ends: slice,
    ) -> Float64[Tensor, "direction sequence"]:
        layout, at = _layout(trajectory.projected[0]), torch.arange(ends.start, ends.stop, ends.step)
        found = torch.zeros(len(trajectory.projected), layout.tile, dtype=torch.float64)
        with _retaken(cell, parameters, trajectory, delta, at, layout) as (library, retaken):
            library.add_gradient(*retaken, _pointer(found))
        return found[:, : layout.sequences]


def _pointer(tensor: Tensor) -> ctypes.c_void_p:
    return ctypes.c_void_p(tensor.data_ptr())


def _pointers(diagonals: Diagonals) -> _Diagonals:
    return _Diagonals(*(None if each is None else each.data_ptr() for each in diagonals))


def _layout(traced: Float64[Tensor, "sequence time unit"]) -> _Layout:
    adjacent, tile, stride = traced.stride()
    require(adjacent == 1, "trajectory", "traced by the native engine", f"strides {traced.stride()}")
    return _Layout(*traced.shape, tile, stride)


def _signal(projected: Tensor, delta: Tensor, ends: Tensor, layout: _Layout) -> tuple[list[Tensor], _Signal]:
    """Arrays to be held while C++ reads them, and their addresses."""
    at = (ends - 1).int()
    errors = torch.zeros(layout.units, len(ends), layout.tile, dtype=torch.float64)
    errors[..., : layout.sequences] = delta.permute(2, 1, 0)
    return [at, errors], _Signal(
        *map(_pointer, (projected, errors, at)), len(ends), len(projected), projected.stride(0)
    )


@contextmanager
def _retaken(
    cell: Cell, parameters: Parameters, trajectory: Trajectory, delta: Tensor, ends: Tensor, layout: _Layout
) -> Iterator[tuple[ctypes.CDLL, tuple[Any, ...]]]:
    """The library of `exact.cpp`, and the first arguments of its functions, alive within."""
    native = NativeCell(cell)
    matrix = native.matrix(parameters).double()
    held, signal = _signal(trajectory.projected, delta, ends, layout)
    given = *map(_pointer, (trajectory.inputs, matrix, trajectory.states)), ctypes.c_double(native.constant_gate)
    yield native.load(EXACT), (*given, signal, layout)
    del held, matrix


def _by_lag(statistic: Float64[Tensor, "end direction lag lane"], layout: _Layout) -> Tensor:
    """S as of `StatisticSums`, without the lanes beyond the sequences."""
    return statistic.permute(1, 2, 3, 0)[:, :, : layout.sequences]
