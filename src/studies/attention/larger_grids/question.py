"""What the question is answered from, and what it draws."""

from studies.attention.questions import Question

QUESTION = Question(place=220, tables=("games",), figures=("games",))
