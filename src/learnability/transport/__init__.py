"""How a gradient crosses ℓ steps: dual-number windows and effective learning rates."""

from learnability.transport.rates import conditioning_table, effective_learning_rates, envelope, envelope_table
from learnability.transport.windows import Window, compose, windows

__all__ = [
    "Window",
    "compose",
    "conditioning_table",
    "effective_learning_rates",
    "envelope",
    "envelope_table",
    "windows",
]
