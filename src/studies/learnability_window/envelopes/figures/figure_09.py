"""Figure 9: time-scale spectra under plain SGD."""

from studies.learnability_window.envelopes.figures.figure_04 import draw

__all__ = ["draw"]
