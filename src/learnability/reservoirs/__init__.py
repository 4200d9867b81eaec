"""Reservoirs: recurrences that are drawn once and never trained, and the readouts that are fitted to their states."""

from learnability.reservoirs.drawing import draw_deep_reservoir, draw_reservoir, spectral_radius_of
from learnability.reservoirs.echo_states import distances, has_echo_states, largest_stretch, lyapunov_exponents
from learnability.reservoirs.fitting import Fitted, fit_network, fit_run
from learnability.reservoirs.generation import error_growth, generate, predict_next
from learnability.reservoirs.memory import memory_capacity
from learnability.reservoirs.reservoir import DeepReservoir, Reservoir
from learnability.reservoirs.ridge import choose_readout, fit_readout, ridge, ridge_each

__all__ = [
    "DeepReservoir",
    "Fitted",
    "Reservoir",
    "choose_readout",
    "distances",
    "draw_deep_reservoir",
    "draw_reservoir",
    "error_growth",
    "fit_network",
    "fit_readout",
    "fit_run",
    "generate",
    "has_echo_states",
    "largest_stretch",
    "lyapunov_exponents",
    "memory_capacity",
    "predict_next",
    "ridge",
    "ridge_each",
    "spectral_radius_of",
]
