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

PATHS: dict[type, tuple[str, str]] = {LeakyCell: ("Leaky", "hs"), LSTM: ("LSTM", "ifog"), GRU: ("GRU", "zrh")}
"""A cell's name in `native.hpp`, and its paths in the order of the rows there."""


class NativeCell:
    """A cell as `native.hpp` has it: its `paths`, its learned gates a step and, if it has one, its constant gate.

    Raises:
        InputError: for a cell that is not there.
    """

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self.name, paths = for_cell("native", cell, PATHS)
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
