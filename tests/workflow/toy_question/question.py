"""Question of Sec. 12: what it requires and makes."""

from studies.gated.questions import Question

QUESTION = Question(place=125, sections="12", tables=("leak_steps",))
