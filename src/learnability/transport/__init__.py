"""How a gradient crosses ℓ steps: effective learning rates by dual-number windows, and exact transport."""

import logging

from learnability.compiled import find_compiler
from learnability.errors import lookup
from learnability.transport.engine import Engine, StatisticSums, Trajectory
from learnability.transport.exact import exact_chunks, exact_sums, exact_table, exact_transport
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


def choose_engine(name: str) -> Engine:
    """The engine that `name` stands for; `auto` takes C++ where there is a compiler. Logged."""
    if name == "auto":
        name, reason = ("native", "the fastest") if find_compiler() else ("torch", "no C++ compiler")
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
    "exact_chunks",
    "exact_sums",
    "exact_table",
    "exact_transport",
    "read_rates",
    "windows",
]
