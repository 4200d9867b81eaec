"""Cells in C++: what `native.hpp` is compiled for, and a cell's parameters as the one matrix it multiplies by."""

import ctypes
from dataclasses import fields
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells.cell import Cell, for_cell
from learnability.cells.gru import GRU
from learnability.cells.leaky import LEAKY, ConstGate, LeakyCell, NormalisedPath
from learnability.cells.linearization import Linearization, Parameters
from learnability.cells.lstm import LSTM
from learnability.core.compiled import load

BOTH = ("retention", "mixing")
FORMS: dict[type, tuple[str, str, tuple[str, ...]]] = {
    **dict.fromkeys(LEAKY, ("Leaky", "hs", BOTH)),
    LSTM: ("LSTM", "ifog", (*BOTH, "expression", "output")),
    GRU: ("GRU", "zrh", (*BOTH, "reset")),
}
"""A cell's name in `native.hpp`, its paths in the order of the rows there, and its `Diagonals` likewise."""
ADDITIONS = ("layer norm",)
"""What settings may add to these cells (`Cell.addition`)."""


class NativeCell:
    """A cell as `native.hpp` has it: its `paths` and `diagonals`, learned gates a step and constant gate, if any.

    Raises:
        InputError: for a cell that is not there.
    """

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self.name, paths, self.diagonals = for_cell("native", cell, FORMS, ADDITIONS)
        self.gates = cell.gate_size if isinstance(cell, LeakyCell) else 0
        self.layer_norm = isinstance(cell, LeakyCell) and cell.layer_norm
        self.paths = [path for path in paths if path != "s" or self.gates]
        self.constant_gate = cell.gate_value if isinstance(cell, ConstGate) else 0.0

    def load(self, source: Path, **constants: str) -> ctypes.CDLL:
        """The library of a source that is compiled for one network, this cell, and `constants` of its own."""
        sizes = {"HIDDEN": self.cell.hidden_size, "INPUT": self.cell.input_size, "GATES": self.gates}
        return load(source, CELL=self.name, **sizes, LAYER_NORM=int(self.layer_norm), **constants)

    def rows(self, parameters: Parameters) -> list[Float[Tensor, "row column"]]:
        """M = [U W b] by path, a row for each unit; behind layer norm the deviation of each from their mean.

        The product of these is the pre-activation's deviation from its mean over units, all that layer norm looks at.
        """
        p = parameters
        rows = [torch.cat([p[f"U_{k}"], p[f"W_{k}"], p[f"b_{k}"][:, None]], 1) for k in self.paths]
        return [_deviations(each) if self._normalises(k) else each for k, each in zip(self.paths, rows, strict=True)]

    def flat(self, parameters: Parameters) -> Float[Tensor, "number"]:
        """M row by row, and behind it, with layer norm, gain and offset: what C++ takes."""
        return torch.cat([*(rows.flatten() for rows in self.rows(parameters)), *(parameters[k] for k in self._beside)])

    def named(self, gradient: Float[Tensor, "number"], parameters: Parameters) -> Parameters:
        """A gradient at `flat`, as that at the parameters."""
        units, columns = self.cell.hidden_size, self.cell.hidden_size + self.cell.input_size + 1
        sizes = [len(parameters[f"b_{k}"]) * columns for k in self.paths]
        found: Parameters = {}
        parts = gradient.split([*sizes, *(len(parameters[name]) for name in self._beside)])
        for k, part in zip(self.paths, parts, strict=False):
            rows = part.view(-1, columns)
            of_each = (_deviations(rows) if self._normalises(k) else rows).split([units, self.cell.input_size, 1], 1)
            found |= {f"U_{k}": of_each[0], f"W_{k}": of_each[1], f"b_{k}": of_each[2][:, 0]}
        return found | dict(zip(self._beside, parts[len(self.paths) :], strict=True))

    @property
    def _beside(self) -> tuple[str, ...]:
        """Parameters that are not in M."""
        return ("gain_h", "offset_h") if self.layer_norm else ()

    def _normalises(self, path: str) -> bool:
        return self.layer_norm and path == "h"


def _deviations(rows: Tensor) -> Tensor:
    """Of each row from the mean row. The map is symmetric: it takes gradients back, too."""
    return rows - rows.mean(0)


def vectors_and_weights(
    steps: Linearization,
) -> tuple[Float[Tensor, "time vector hidden"], Float[Tensor, "path hidden hidden"]]:
    """What `exact.cpp` makes J_t of: the vectors of each step, then the f of each path D(f) U, and every U.

    With layer norm also the path's n, behind the vectors, and of its U the deviations from the mean row.
    """
    parts = [getattr(steps, field.name) for field in fields(steps)]
    vectors = [part for part in parts if isinstance(part, Tensor)]
    paths = [
        path
        for part in parts
        if not isinstance(part, Tensor)
        for path in (part if isinstance(part, tuple) else (part,))
    ]
    vectors += [path.normalised for path in paths if isinstance(path, NormalisedPath)]
    units = vectors[0].shape[-1]
    of_each = (_deviations(path.U) if isinstance(path, NormalisedPath) else path.U for path in paths)
    weights = torch.stack([U.expand(units, -1) for U in of_each])
    return torch.stack([*vectors, *(path.factor for path in paths)], 1), weights
