"""Recurrent cells as one-step maps; scanning them over a sequence lives in `learnability.networks.network`.

A cell is imported when it is used, by its name in settings or in Python: `from learnability.cells import GRU`.
"""

from learnability.cells.automatic import AutomaticLinearization
from learnability.cells.cell import Cell, for_cell, lacked_cell, orthogonal
from learnability.cells.linearization import Diagonals, JacobianSplit, Linearization, Parameters
from learnability.cells.stack import Stack
from learnability.core.registry import Registry

GATED: Registry[Cell] = Registry(
    {
        "const_gate": "learnability.cells.leaky:ConstGate",
        "shared_gate": "learnability.cells.leaky:SharedGate",
        "diag_gate": "learnability.cells.leaky:DiagGate",
        "lstm": "learnability.cells.lstm:LSTM",
        "gru": "learnability.cells.gru:GRU",
    }
)
"""Cells with a gate and a `linearize` of their own."""

PLAIN: Registry[Cell] = Registry(
    {
        "rnn": "learnability.cells.vanilla:RNN",
        "orth_rnn": "learnability.cells.vanilla:OrthRNN",
        "exp_rnn": "learnability.cells.vanilla:ExpRNN",
        "goru": "learnability.cells.goru:GORU",
    }
)
"""Cells whose state is h_t, linearized by automatic differentiation."""

ATTENTIVE: Registry[Cell] = Registry(
    {
        "mem_rnn": "learnability.cells.attentive:MemRNN",
        "mem_lstm": "learnability.cells.attentive:MemLSTM",
        "rel_rnn": "learnability.cells.attentive:RelRNN",
        "rel_lstm": "learnability.cells.attentive:RelLSTM",
        "sab": "learnability.cells.sab:SAB",
    }
)
"""Cells whose state is a nest of tensors with a memory of past states."""

ADDITIVE: Registry[Cell] = Registry(
    {
        "identity_rnn": "learnability.cells.additive:IdentityRNN",
        "forget_rnn": "learnability.cells.additive:ForgetRNN",
    }
)
"""Cells that add to their state what does not depend on it, with a `linearize` of their own."""

COMPARED: Registry[Cell] = Registry(
    {
        "irnn": "learnability.cells.irnn:IRNN",
        "chrono_lstm": "learnability.cells.chrono:ChronoLSTM",
        "min_gru": "learnability.cells.linear_recurrence:MinGRU",
        "min_lstm": "learnability.cells.linear_recurrence:MinLSTM",
        "lru": "learnability.cells.state_space:LRU",
        "s4d": "learnability.cells.state_space:S4D",
        "mamba": "learnability.cells.state_space:Mamba",
        "slstm": "learnability.cells.xlstm:SLSTM",
        "mlstm": "learnability.cells.xlstm:MLSTM",
        "lmu": "learnability.cells.legendre:LMU",
        "cornn": "learnability.cells.oscillators:CoRNN",
        "cfc": "learnability.cells.closed_form:CfC",
    }
)
"""Cells that the literature compares, each as its authors start it, trained by automatic differentiation."""

CELLS = GATED | PLAIN | ATTENTIVE | ADDITIVE | COMPARED

__getattr__ = CELLS.class_named

__all__ = [
    "ADDITIVE",
    "ATTENTIVE",
    "CELLS",
    "COMPARED",
    "GATED",
    "PLAIN",
    "AutomaticLinearization",
    "Cell",
    "Diagonals",
    "JacobianSplit",
    "Linearization",
    "Parameters",
    "Stack",
    "for_cell",
    "lacked_cell",
    "orthogonal",
]
