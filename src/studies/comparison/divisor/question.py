"""Tables that answer the question, and figures that it draws."""

from studies.comparison.questions import Question

QUESTION = Question(place=55, tables=("divisor", "divisor_lags"), figure="divisor")
