"""Ways to compute the loss and its gradient, all behind one interface (`Engine`)."""

import logging
from collections.abc import Sequence

from learnability.core.errors import lookup, require
from learnability.networks.network import Network
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


FASTEST_FIRST = {"cpu": ("native", "torch", "autograd"), "cuda": ("cuda", "torch", "autograd")}
"""Engines for a device."""


def extras(network: Network, truncation: int, masked: bool) -> tuple[str, ...]:
    """What is asked of an engine beyond the mean over all targets and gradients over the whole sequence."""
    asked = {
        "masks": masked,
        "truncation": truncation > 0,
        "random steps": network.cell.is_noisy,
        "regularization": bool(network.regularization),
    }
    return tuple(name for name, is_asked in asked.items() if is_asked)


def choose_engine(name: str, device: str, network: Network, extras: Sequence[str] = ()) -> tuple[str, str]:
    """The engine that `name` stands for on a device, and why; `auto` takes the fastest that has all. Logged.

    Raises:
        InputError: for a named engine that lacks something.
    """
    engine, reason = _choose(name, device, network, extras)
    log.info("Engine: %s (%s).", engine, reason)
    return engine, reason


def _choose(name: str, device: str, network: Network, extras: Sequence[str]) -> tuple[str, str]:
    if name != "auto":
        check_engine(name, network, extras)
        return name, "named in the configuration"
    fastest, *_ = FASTEST_FIRST[device]
    lacked = ENGINES[fastest].lacks(network, extras)
    if not lacked:
        return fastest, f"auto: the fastest on {'a GPU' if device == 'cuda' else 'the CPU'}"
    others = (engine for engine in FASTEST_FIRST[device] if not ENGINES[engine].lacks(network, extras))
    return next(others), f"auto: the {fastest} engine lacks {lacked}"


def check_engine(name: str, network: Network, extras: Sequence[str] = ()) -> None:
    """Raise `InputError` unless there is an engine of this name, and it has all that is asked for."""
    lacked = lookup(ENGINES, "engine", name).lacks(network, extras)
    require(not lacked, "training.engine", f"an engine that has {lacked}", name)


__all__ = [
    "ENGINES",
    "AutogradEngine",
    "Engine",
    "FusedEngine",
    "NativeEngine",
    "TorchEngine",
    "check_engine",
    "choose_engine",
    "extras",
]
