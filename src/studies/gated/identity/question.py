"""Question of Sec. 1: what it requires and makes."""

from studies.gated.questions import Question

QUESTION = Question(place=10, sections="1", tables=("identity_readouts", "identity_states", "identity_gradients"))
