"""Reservoirs: recurrences that are drawn once and never trained, and the readouts that are fitted to their states."""

from learnability.reservoirs.drawing import draw_reservoir, spectral_radius_of
from learnability.reservoirs.echo_states import distances, largest_stretch, lyapunov_exponents
from learnability.reservoirs.generation import generate
from learnability.reservoirs.memory import memory_capacity
from learnability.reservoirs.reservoir import DeepReservoir, Reservoir
from learnability.reservoirs.ridge import fit_readout, ridge

__all__ = [
    "DeepReservoir",
    "Reservoir",
    "distances",
    "draw_reservoir",
    "fit_readout",
    "generate",
    "largest_stretch",
    "lyapunov_exponents",
    "memory_capacity",
    "ridge",
    "spectral_radius_of",
]
