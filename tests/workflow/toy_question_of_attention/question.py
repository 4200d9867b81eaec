"""What the question is answered from, and what it draws."""

from studies.attention.questions import Question

QUESTION = Question(place=95, tables=("last_losses",), figures=("last_losses",))
