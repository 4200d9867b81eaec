"""Recurrent cells as one-step maps; scanning them over a sequence lives in `learnability.network`."""

from learnability.cells.cell import Cell, JacobianDiagonals, JacobianSplit, Parameters, orthogonal
from learnability.cells.leaky import ConstGate, DiagGate, LeakyCell, SharedGate

CELLS: dict[str, type[LeakyCell]] = {
    "const_gate": ConstGate,
    "shared_gate": SharedGate,
    "diag_gate": DiagGate,
}

__all__ = [
    "CELLS",
    "Cell",
    "ConstGate",
    "DiagGate",
    "JacobianDiagonals",
    "JacobianSplit",
    "LeakyCell",
    "Parameters",
    "SharedGate",
    "orthogonal",
]
