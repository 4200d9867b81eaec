"""Recurrent cells as one-step maps; scanning them over a sequence lives in `learnability.networks.network`."""

from learnability.cells.additive import ForgetRNN, IdentityRNN
from learnability.cells.attentive import AttentionCell, MemLSTM, MemoryCell, MemoryState, MemRNN, RelLSTM, RelRNN
from learnability.cells.automatic import AutomaticLinearization
from learnability.cells.cell import Cell, for_cell, lacked_cell, orthogonal
from learnability.cells.chrono import ChronoLSTM
from learnability.cells.closed_form import CfC
from learnability.cells.goru import GORU
from learnability.cells.gru import GRU
from learnability.cells.irnn import IRNN
from learnability.cells.leaky import LEAKY, ConstGate, DiagGate, LeakyCell, SharedGate
from learnability.cells.legendre import LMU
from learnability.cells.linear_recurrence import LinearRecurrence, MinGRU, MinLSTM
from learnability.cells.linearization import Diagonals, JacobianSplit, Linearization, Parameters
from learnability.cells.lstm import LSTM
from learnability.cells.oscillators import CoRNN
from learnability.cells.sab import SAB, SABState
from learnability.cells.stack import Stack
from learnability.cells.state_space import LRU, S4D, Mamba
from learnability.cells.vanilla import RNN, ExpRNN, OrthRNN
from learnability.cells.xlstm import MLSTM, SLSTM

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

COMPARED: dict[str, type[Cell]] = {
    "irnn": IRNN,
    "chrono_lstm": ChronoLSTM,
    "min_gru": MinGRU,
    "min_lstm": MinLSTM,
    "lru": LRU,
    "s4d": S4D,
    "mamba": Mamba,
    "slstm": SLSTM,
    "mlstm": MLSTM,
    "lmu": LMU,
    "cornn": CoRNN,
    "cfc": CfC,
}
"""Cells that the literature compares, each as its authors start it, trained by automatic differentiation."""

CELLS = GATED | PLAIN | ATTENTIVE | ADDITIVE | COMPARED

__all__ = [
    "ADDITIVE",
    "ATTENTIVE",
    "CELLS",
    "COMPARED",
    "GATED",
    "GORU",
    "GRU",
    "IRNN",
    "LEAKY",
    "LMU",
    "LRU",
    "LSTM",
    "MLSTM",
    "PLAIN",
    "RNN",
    "S4D",
    "SAB",
    "SLSTM",
    "AttentionCell",
    "AutomaticLinearization",
    "Cell",
    "CfC",
    "ChronoLSTM",
    "CoRNN",
    "ConstGate",
    "DiagGate",
    "Diagonals",
    "ExpRNN",
    "ForgetRNN",
    "IdentityRNN",
    "JacobianSplit",
    "LeakyCell",
    "LinearRecurrence",
    "Linearization",
    "Mamba",
    "MemLSTM",
    "MemRNN",
    "MemoryCell",
    "MemoryState",
    "MinGRU",
    "MinLSTM",
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
