"""Question of Sec. 11 and 12: what it requires and makes."""

from studies.gated.questions import Question

QUESTION = Question(place=120, sections="11 and 12", tables=("richness_dimensions",))
