"""Recurrent cells as one-step maps; scanning them over a sequence lives in `learnability.networks.network`."""

from learnability.cells.additive import ForgetRNN, IdentityRNN
from learnability.cells.attentive import AttentionCell, MemLSTM, MemoryCell, MemoryState, MemRNN, RelLSTM, RelRNN
from learnability.cells.automatic import AutomaticLinearization
from learnability.cells.cell import Cell, for_cell, lacked_cell, orthogonal
from learnability.cells.goru import GORU
from learnability.cells.gru import GRU
from learnability.cells.leaky import LEAKY, ConstGate, DiagGate, LeakyCell, SharedGate
from learnability.cells.linearization import Diagonals, JacobianSplit, Linearization, Parameters
from learnability.cells.lstm import LSTM
from learnability.cells.sab import SAB, SABState
from learnability.cells.stack import Stack
from learnability.cells.vanilla import RNN, ExpRNN, OrthRNN

GATED: dict[str, type[Cell]] = {
    "const_gate": ConstGate,
    "shared_gate": SharedGate,
    "diag_gate": DiagGate,
    "lstm": LSTM,
    "gru": GRU,
}
"""Cells with a gate and a `linearize` of their own."""

PLAIN: dict[str, type[Cell]] = {
    "rnn": RNN,
    "orth_rnn": OrthRNN,
    "exp_rnn": ExpRNN,
    "goru": GORU,
}
"""Cells whose state is h_t, linearized by automatic differentiation."""

ATTENTIVE: dict[str, type[Cell]] = {
    "mem_rnn": MemRNN,
    "mem_lstm": MemLSTM,
    "rel_rnn": RelRNN,
    "rel_lstm": RelLSTM,
    "sab": SAB,
}
"""Cells whose state is a nest of tensors with a memory of past states."""

ADDITIVE: dict[str, type[Cell]] = {
    "identity_rnn": IdentityRNN,
    "forget_rnn": ForgetRNN,
}
"""Cells that add to their state what does not depend on it, with a `linearize` of their own."""

CELLS = GATED | PLAIN | ATTENTIVE | ADDITIVE

__all__ = [
    "ADDITIVE",
    "ATTENTIVE",
    "CELLS",
    "GATED",
    "GORU",
    "GRU",
    "LEAKY",
    "LSTM",
    "PLAIN",
    "RNN",
    "SAB",
    "AttentionCell",
    "AutomaticLinearization",
    "Cell",
    "ConstGate",
    "DiagGate",
    "Diagonals",
    "ExpRNN",
    "ForgetRNN",
    "IdentityRNN",
    "JacobianSplit",
    "LeakyCell",
    "Linearization",
    "MemLSTM",
    "MemRNN",
    "MemoryCell",
    "MemoryState",
    "OrthRNN",
    "Parameters",
    "RelLSTM",
    "RelRNN",
    "SABState",
    "SharedGate",
    "Stack",
    "for_cell",
    "lacked_cell",
    "orthogonal",
]
