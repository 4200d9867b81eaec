"""What the question is answered from, and what it draws."""

from studies.comparison.questions import Question

QUESTION = Question(place=80, tables=("longer",), figure="lengths")
