"""Figure 10: mean envelopes under SGD with momentum."""

from learnability.figures.mean_envelopes import draw_mean_envelopes as draw

__all__ = ["draw"]
