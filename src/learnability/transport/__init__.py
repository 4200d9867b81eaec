"""How a gradient crosses ℓ steps: dual-number windows and effective learning rates."""

from learnability.transport.exact import exact_sums, exact_table, exact_transport
from learnability.transport.rates import conditioning_table, effective_learning_rates, envelope, envelope_table
from learnability.transport.summing import SUMMING, Summing, TorchSumming, choose_summing
from learnability.transport.windows import Factors, Window, check_lags, compose, windows

__all__ = [
    "SUMMING",
    "Factors",
    "Summing",
    "TorchSumming",
    "Window",
    "check_lags",
    "choose_summing",
    "compose",
    "conditioning_table",
    "effective_learning_rates",
    "envelope",
    "envelope_table",
    "exact_sums",
    "exact_table",
    "exact_transport",
    "windows",
]
