"""Question of Sec. 14: what it requires and makes."""

from studies.gated.questions import Question

QUESTION = Question(place=150, sections="14", tables=("cost_trainings", "cost_curves"))
