"""Tables that answer the question, and figures that it draws."""

from studies.ground_truth.questions import Question

QUESTION = Question(place=30, tables=("contest",), figure="order")
