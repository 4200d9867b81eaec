"""Figure 10: mean envelopes under SGD with momentum."""

from studies.learnability_window.envelopes.figures.mean_envelopes import draw_mean_envelopes as draw

__all__ = ["draw"]
