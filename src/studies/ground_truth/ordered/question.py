"""Tables that answer the question."""

from studies.ground_truth.questions import Question

QUESTION = Question(place=30, tables=("contest",))
