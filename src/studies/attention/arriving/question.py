"""What the question is answered from, and what it draws."""

from studies.attention.questions import Question

QUESTION = Question(place=60, tables=("gradient_norms",), figures=("gradient_norms",))
