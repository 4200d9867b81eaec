"""How a gradient crosses ℓ steps: effective learning rates by dual-number windows, and exact transport."""

import logging

from learnability.cells import GRU, LSTM, Cell, LeakyCell
from learnability.compiled import find_compiler
from learnability.errors import lookup
from learnability.transport.engine import Engine, StatisticSums, Trajectory
from learnability.transport.exact import exact_sums, exact_table, exact_transport
from learnability.transport.native_engine import NativeEngine
from learnability.transport.rates import (
    GRU_RATES,
    conditioning_table,
    effective_learning_rates,
    envelope,
    envelope_table,
    read_rates,
)
from learnability.transport.torch_engine import TorchEngine
from learnability.transport.windows import Factors, Window, check_lags, compose, windows

ENGINES: dict[str, type[Engine]] = {"torch": TorchEngine, "native": NativeEngine}

log = logging.getLogger(__name__)


def choose_engine(name: str, cell: Cell) -> Engine:
    """The engine that `name` stands for; `auto` takes C++ where there is a compiler, for a cell it has. Logged."""
    if name == "auto":
        name, reason = "native", "the fastest"
        if find_compiler() is None:
            name, reason = "torch", "no C++ compiler"
        elif not isinstance(cell, LeakyCell | LSTM | GRU):
            name, reason = "torch", f"the native engine has no {type(cell).__name__}"
        log.info("Measurement: %s (auto: %s).", name, reason)
    return lookup(ENGINES, "engine", name)()


__all__ = [
    "ENGINES",
    "GRU_RATES",
    "Engine",
    "Factors",
    "StatisticSums",
    "TorchEngine",
    "Trajectory",
    "Window",
    "check_lags",
    "choose_engine",
    "compose",
    "conditioning_table",
    "effective_learning_rates",
    "envelope",
    "envelope_table",
    "exact_sums",
    "exact_table",
    "exact_transport",
    "read_rates",
    "windows",
]
