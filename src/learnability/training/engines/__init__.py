"""Ways to compute the loss and its gradient, all behind one interface (`Engine`)."""

from learnability.training.engines.autograd import AutogradEngine
from learnability.training.engines.engine import Engine
from learnability.training.engines.torch_bptt import TorchEngine

ENGINES: dict[str, type[Engine]] = {"autograd": AutogradEngine, "torch": TorchEngine}

__all__ = ["ENGINES", "AutogradEngine", "Engine", "TorchEngine"]
