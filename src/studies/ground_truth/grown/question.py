"""Tables that answer the question, and figures that it draws."""

from studies.ground_truth.questions import Question

QUESTION = Question(place=40, tables=("growth",), figure="lag_growth")
