"""Figure 8: mean envelopes under plain SGD."""

from studies.learnability_window.envelopes.figures.mean_envelopes import draw_mean_envelopes as draw

__all__ = ["draw"]
