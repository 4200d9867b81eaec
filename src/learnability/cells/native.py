"""Cells in C++: what `native.hpp` is compiled for, and a cell's parameters as the one matrix it multiplies by."""

import ctypes
from dataclasses import fields
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells.cell import Cell, for_cell
from learnability.cells.gru import GRU
from learnability.cells.leaky import LEAKY, ConstGate, LeakyCell
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

    def load(self, source: Path, **constants: str) -> ctypes.CDLL:
        """The library of a source that is compiled for one network, this cell, and `constants` of its own."""
        sizes = {"HIDDEN": self.cell.hidden_size, "INPUT": self.cell.input_size, "GATES": self.gates}
        return load(source, CELL=self.name, **sizes, **constants)

    def matrix(self, parameters: Parameters) -> Float[Tensor, "row column"]:
        """M = [U W b], a row for each unit of each path."""
        p = parameters
        return torch.cat([torch.cat([p[f"U_{k}"], p[f"W_{k}"], p[f"b_{k}"][:, None]], 1) for k in self.paths])


def vectors_and_weights(
    steps: Linearization,
) -> tuple[Float[Tensor, "time vector hidden"], Float[Tensor, "path hidden hidden"]]:
    """What `exact.cpp` makes J_t of: the vectors of each step, then the f of each path D(f) U, and every U."""
    parts = [getattr(steps, field.name) for field in fields(steps)]
    vectors = [part for part in parts if isinstance(part, Tensor)]
    paths = [
        path
        for part in parts
        if not isinstance(part, Tensor)
        for path in (part if isinstance(part, tuple) else (part,))
    ]
    units = vectors[0].shape[-1]
    weights = torch.stack([path.U.expand(units, -1) for path in paths])
    return torch.stack([*vectors, *(path.factor for path in paths)], 1), weights
