"""What the question is answered from, and what it draws."""

from studies.attention.questions import Question

QUESTION = Question(place=140, tables=("trained_gradients",), figures=("trained_gradients",))
