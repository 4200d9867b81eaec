"""How a gradient crosses ℓ steps: dual-number windows and effective learning rates."""

from learnability.transport.rates import effective_learning_rates, envelope
from learnability.transport.windows import Window, compose, windows

__all__ = ["Window", "compose", "effective_learning_rates", "envelope", "windows"]
