"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(place=10, tables=("theory_paths",), figures={"theory_paths": ("theory_paths",)})
