"""Ways to compute the loss and its gradient, all behind one interface (`Engine`)."""

import logging

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


def is_plain(network: Network, truncation: int, masked: bool) -> bool:
    """Whether all targets count, gradients go back over the whole sequence, and steps are not random."""
    return not (masked or truncation or network.cell.is_noisy)


def choose_engine(name: str, device: str, network: Network, plain: bool = True) -> tuple[str, str]:
    """The engine that `name` stands for on a device, and why; `auto` takes the fastest that has all. Logged.

    Args:
        plain: see `is_plain`.

    Raises:
        InputError: for a named engine that lacks something.
    """
    engine, reason = _choose(name, device, network, plain)
    log.info("Engine: %s (%s).", engine, reason)
    return engine, reason


def _choose(name: str, device: str, network: Network, plain: bool) -> tuple[str, str]:
    if name != "auto":
        lacked = lookup(ENGINES, "engine", name).lacks(network, plain)
        require(not lacked, "training.engine", f"one that has {lacked}", name)
        return name, "named in the configuration"
    fastest, *_ = FASTEST_FIRST[device]
    lacked = ENGINES[fastest].lacks(network, plain)
    if not lacked:
        return fastest, f"auto: the fastest on {'a GPU' if device == 'cuda' else 'the CPU'}"
    others = (engine for engine in FASTEST_FIRST[device] if not ENGINES[engine].lacks(network, plain))
    return next(others), f"auto: the {fastest} engine has no {lacked}"


__all__ = [
    "ENGINES",
    "AutogradEngine",
    "Engine",
    "FusedEngine",
    "NativeEngine",
    "TorchEngine",
    "choose_engine",
    "is_plain",
]
