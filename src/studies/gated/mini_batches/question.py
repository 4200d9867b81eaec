"""Question of Sec. 8.1: what it requires and makes."""

from studies.gated.questions import Question

QUESTION = Question(place=80, sections="8.1", tables=("batch_noise", "batch_slopes", "batch_losses", "batch_curves"))
