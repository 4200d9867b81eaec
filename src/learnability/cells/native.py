"""Cells in C++: what `native.hpp` is compiled for, and a cell's parameters as the one matrix it multiplies by."""

import ctypes
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells.cell import Cell, for_cell
from learnability.cells.gru import GRU
from learnability.cells.leaky import ConstGate, LeakyCell
from learnability.cells.linearization import Parameters
from learnability.cells.lstm import LSTM
from learnability.compiled import load

BOTH = ("retention", "mixing")
FORMS: dict[type, tuple[str, str, tuple[str, ...]]] = {
    LeakyCell: ("Leaky", "hs", BOTH),
    LSTM: ("LSTM", "ifog", (*BOTH, "expression", "output")),
    GRU: ("GRU", "zrh", (*BOTH, "reset")),
}
"""A cell's name in `native.hpp`, its paths in the order of the rows there, and its `Diagonals` likewise."""


class NativeCell:
    """A cell as `native.hpp` has it: its `paths` and `diagonals`, learned gates a step and constant gate, if any.

    Raises:
        InputError: for a cell that is not there.
    """

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self.name, paths, self.diagonals = for_cell("native", cell, FORMS)
        self.gates = cell.gate_size if isinstance(cell, LeakyCell) else 0
        self.paths = [path for path in paths if path != "s" or self.gates]
        self.constant_gate = cell.gate_value if isinstance(cell, ConstGate) else 0.0

    def load(self, source: Path) -> ctypes.CDLL:
        """The library of a source that includes `native.hpp`, compiled for this cell."""
        sizes = {"HIDDEN": self.cell.hidden_size, "INPUT": self.cell.input_size, "GATES": self.gates}
        return load(source, CELL=self.name, **sizes)

    def matrix(self, parameters: Parameters) -> Float[Tensor, "row column"]:
        """M = [U W b], a row for each unit of each path."""
        p = parameters
        return torch.cat([torch.cat([p[f"U_{k}"], p[f"W_{k}"], p[f"b_{k}"][:, None]], 1) for k in self.paths])
