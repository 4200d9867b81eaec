"""Ways to compute the loss and its gradient, all behind one interface (`Engine`)."""

import logging
from collections.abc import Sequence

import torch
from torch import Tensor

from learnability.cells import Parameters
from learnability.core.errors import InputError, in_one_line, lookup, require
from learnability.networks.network import Network
from learnability.training.engines.autograd import AutogradEngine
from learnability.training.engines.engine import Engine
from learnability.training.engines.extras import extras
from learnability.training.engines.fused import FusedEngine
from learnability.training.engines.native import NativeEngine
from learnability.training.engines.stacked import StackedEngine
from learnability.training.engines.torch_bptt import TorchEngine

ENGINES: dict[str, type[Engine]] = {
    "autograd": AutogradEngine,
    "torch": TorchEngine,
    "native": NativeEngine,
    "cuda": FusedEngine,
}


log = logging.getLogger(__name__)


REFERENCES = {"cuda": "torch"}
"""Engines whose kernels depend on the GPU and its driver, with the engine that checks a training step of theirs."""
SEQUENCES, STEPS, TOLERANCE = 18, 24, 1e-3
"""Largest difference of that step, relative to the largest number of its kind; float32 stays far below."""


FASTEST_FIRST = {"cpu": ("native", "torch", "autograd"), "cuda": ("cuda", "torch", "autograd")}
"""Engines for a device."""


def choose_engine(name: str, device: str, network: Network, extras: Sequence[str] = ()) -> tuple[str, str]:
    """The engine that `name` stands for on a device, and why; `auto` takes the fastest that has all and runs. Logged.

    An engine runs if its requirements are there and can be compiled, and, if it is in `REFERENCES`, if a training step
    of it agrees with a step of the reference.

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
    reasons = []
    for engine in FASTEST_FIRST[device]:
        if absent := ENGINES[engine].lacks(network, extras):
            reasons.append(f"the {engine} engine lacks {absent}")
        elif fault := ENGINES[engine].fault(network) or (
            _differs(engine, device, network) if engine in REFERENCES else ""
        ):
            reasons.append(f"the {engine} engine does not run here: {fault}")
        else:
            fastest = f"the fastest on {'a GPU' if device == 'cuda' else 'the CPU'}"
            return engine, f"auto: {reasons[0] if reasons else fastest}"
    raise InputError(f"'training.engine' must be one that runs here. Got auto: {'; '.join(reasons)}.")


def _differs(name: str, device: str, network: Network) -> str:
    """Difference between a training step of an engine and of its reference, in words; empty if there is none.

    The step is of two models on random sequences, as many as do not fill a block of them, by gradient descent.
    """
    generator = torch.Generator().manual_seed(0)
    sequences = torch.randn((2, SEQUENCES, STEPS, network.cell.input_size), generator=generator).to(device)
    targets = torch.randn((2, SEQUENCES, STEPS), generator=generator).to(device)
    initial = [network.initial_parameters(0, seed) for seed in (0, 1)]
    # biases and gate weights begin at 0, which would hide half of the formulas
    initial = [{k: p + 0.1 * torch.randn(p.shape, generator=generator) for k, p in model.items()} for model in initial]
    try:
        steps = [_step(engine, device, network, initial, sequences, targets) for engine in (name, REFERENCES[name])]
    except Exception as error:  # whatever a compiler or a driver raises
        _check_gpu(name)
        return in_one_line(error)
    for part, value, reference in ((part, steps[0][part], steps[1][part]) for part in steps[1]):
        is_alike = value.shape == reference.shape
        difference = (
            ((value - reference).abs().max() / reference.abs().max().clamp(min=1e-6)).item() if is_alike else torch.inf
        )
        if not difference <= TOLERANCE:  # NaN is not
            return f"{part} differ from engine '{REFERENCES[name]}' by {difference:.1g} of their largest"
    return ""


def _check_gpu(name: str) -> None:
    """Raise `InputError` if what an engine did to the GPU leaves it unusable to this process."""
    try:
        if torch.cuda.is_available():
            torch.cuda.synchronize()
    except RuntimeError as error:
        failure = f"engine '{name}' failed so that this process can no longer use the GPU: {in_one_line(error)}"
        raise InputError(
            f"'training.engine' must be '{REFERENCES[name]}' on this GPU. Got auto, but {failure}."
        ) from error


def _step(
    name: str, device: str, network: Network, initial: Sequence[Parameters], inputs: Tensor, targets: Tensor
) -> dict[str, Tensor]:
    """Losses, gradients, parameters after a step, and states, each a vector in float64 on the CPU."""
    models = [{key: p.float().to(device) for key, p in model.items()} for model in initial]
    engine = ENGINES[name](network, models)
    losses = engine.losses_and_gradients(inputs, targets)
    quantities = {f"gradients of {key}": [_gradient(model[key]) for model in models] for key in initial[0]}
    torch.optim.SGD([p for model in models for p in model.values()], lr=0.1).step()
    quantities |= {"losses": [losses], "states": [engine.states(inputs)]}
    quantities |= {f"{key} after a step": [model[key] for model in models] for key in initial[0]}
    return {
        key: torch.cat([tensor.detach().double().cpu().flatten() for tensor in of]) for key, of in quantities.items()
    }


def _gradient(parameter: Tensor) -> Tensor:
    return torch.zeros_like(parameter) if parameter.grad is None else parameter.grad.clone()


def check_engine(name: str, network: Network, extras: Sequence[str] = ()) -> None:
    """Raise `InputError` unless there is an engine of this name, and it has all that is asked for."""
    absent = lookup(ENGINES, "engine", name).lacks(network, extras)
    require(not absent, "training.engine", f"an engine that has {absent}", name)


__all__ = [
    "ENGINES",
    "AutogradEngine",
    "Engine",
    "FusedEngine",
    "NativeEngine",
    "StackedEngine",
    "TorchEngine",
    "check_engine",
    "choose_engine",
    "extras",
]
