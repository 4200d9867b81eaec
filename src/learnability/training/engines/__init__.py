"""Ways to compute the loss and its gradient, all behind one interface (`Engine`)."""

import logging

from learnability.cells import GRU, LSTM, Cell, LeakyCell
from learnability.core.compiled import find_compiler
from learnability.training.engines.autograd import AutogradEngine
from learnability.training.engines.engine import Engine
from learnability.training.engines.fused import FusedEngine
from learnability.training.engines.native import NativeEngine
from learnability.training.engines.torch_bptt import TorchEngine

ENGINES: dict[str, type[Engine]] = {
    "autograd": AutogradEngine,
    "torch": TorchEngine,
    "native": NativeEngine,
    "cuda": FusedEngine,
}


log = logging.getLogger(__name__)


def choose_engine(name: str, device: str, cell: Cell) -> tuple[str, str]:
    """The engine that `name` stands for on a device, and why; `auto` takes the fastest that can run. Logged."""
    engine, reason = _choose(name, device, cell)
    log.info("Engine: %s (%s).", engine, reason)
    return engine, reason


def _choose(name: str, device: str, cell: Cell) -> tuple[str, str]:
    if name != "auto":
        return name, "named in the configuration"
    if not isinstance(cell, LeakyCell | LSTM | GRU):
        return "autograd", f"auto: the only one that has {type(cell).__name__}"
    if device == "cuda" and isinstance(cell, LeakyCell):
        return "cuda", "auto: the fastest on a GPU"
    if device == "cuda":
        return "torch", f"auto: the cuda engine has no {type(cell).__name__}"
    if find_compiler() is None:
        return "torch", "auto: no C++ compiler for the native engine"
    return "native", "auto: the fastest on the CPU"


__all__ = ["ENGINES", "AutogradEngine", "Engine", "FusedEngine", "NativeEngine", "TorchEngine", "choose_engine"]
