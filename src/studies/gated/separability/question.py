"""Question of Sec. 15: what it requires and makes."""

from studies.gated.questions import Question

QUESTION = Question(place=160, sections="15", tables=("separability_shares",))
