"""Figure 11: time-scale spectra under SGD with momentum."""

from studies.learnability_window.envelopes.figures.figure_04 import draw

__all__ = ["draw"]
