"""Tables that answer the question, and figures that it draws."""

from studies.comparison.questions import Question

QUESTION = Question(place=50, tables=("lags",), figure="lags_learned")
