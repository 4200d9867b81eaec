"""Figure 9: time-scale spectra under plain SGD."""

from learnability.figures.figure_04 import draw

__all__ = ["draw"]
