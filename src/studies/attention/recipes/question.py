"""What the question is answered from, and what it draws."""

from studies.attention.questions import Question

QUESTION = Question(place=110, tables=("recipes",), figures=("recipes",))
