"""What the question is answered from, and what it draws."""

from studies.ground_truth.questions import Question

QUESTION = Question(place=45, tables=("half_learned",), figure="reach")
