"""Recurrent cells as one-step maps; scanning them over a sequence lives in `learnability.networks.network`."""

from learnability.cells.automatic import AutomaticLinearization
from learnability.cells.cell import Cell, for_cell, lacked_cell, orthogonal
from learnability.cells.gru import GRU
from learnability.cells.leaky import LEAKY, ConstGate, DiagGate, LeakyCell, SharedGate
from learnability.cells.linearization import Diagonals, JacobianSplit, Linearization, Parameters
from learnability.cells.lstm import LSTM

CELLS: dict[str, type[Cell]] = {
    "const_gate": ConstGate,
    "shared_gate": SharedGate,
    "diag_gate": DiagGate,
    "lstm": LSTM,
    "gru": GRU,
}

__all__ = [
    "CELLS",
    "GRU",
    "LEAKY",
    "LSTM",
    "AutomaticLinearization",
    "Cell",
    "ConstGate",
    "DiagGate",
    "Diagonals",
    "JacobianSplit",
    "LeakyCell",
    "Linearization",
    "Parameters",
    "SharedGate",
    "for_cell",
    "lacked_cell",
    "orthogonal",
]
