"""Gradients across ℓ steps: effective learning rates by dual-number windows, and exact transport."""

import logging

from learnability.cells import Cell, lacked_cell
from learnability.cells.native import ADDITIONS, FORMS
from learnability.core.compiled import find_compiler
from learnability.core.errors import lookup, require_one_of
from learnability.transport.engine import Covectors, Derivatives, Engine, Probes, SequenceGradient, Trajectory
from learnability.transport.exact import exact_table, exact_transport
from learnability.transport.native_engine import PRECISIONS, NativeEngine
from learnability.transport.rates import (
    GRU_RATES,
    conditioning_table,
    effective_learning_rates,
    envelope,
    envelope_table,
    rate_tables,
    read_rates,
)
from learnability.transport.torch_engine import TorchEngine
from learnability.transport.windows import Factors, Window, check_lags, compose, windows

ENGINES: dict[str, type[Engine]] = {"torch": TorchEngine, "native": NativeEngine}

log = logging.getLogger(__name__)


def choose_engine(name: str, cell: Cell, precision: str = "single") -> Engine:
    """The engine that `name` stands for; `auto` takes C++ for a cell it has, where it can be compiled. Logged.

    Args:
        precision: of exact transport by C++, `single` or `double`; torch is always double.
    """
    require_one_of("precision", precision, PRECISIONS)
    if name == "auto":
        name, reason = "native", "the fastest"
        if find_compiler() is None:
            name, reason = "torch", "no C++ compiler"
        elif absent := lacked_cell(cell, FORMS, ADDITIONS):
            name, reason = "torch", f"the native engine lacks the cell {absent}"
        elif fault := NativeEngine.fault(cell, precision):
            name, reason = "torch", f"the native engine does not run here: {fault}"
        log.info("Measurement: %s (auto: %s).", name, reason)
    engine = lookup(ENGINES, "engine", name)
    if engine is NativeEngine:
        log.info("Exact transport in %s precision.", precision)
        return NativeEngine(precision)
    return engine()


__all__ = [
    "ENGINES",
    "GRU_RATES",
    "Covectors",
    "Derivatives",
    "Engine",
    "Factors",
    "Probes",
    "SequenceGradient",
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
    "exact_table",
    "exact_transport",
    "rate_tables",
    "read_rates",
    "windows",
]
