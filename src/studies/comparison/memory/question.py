"""Tables that answer the question, and figures that it draws."""

from studies.comparison.questions import Question

QUESTION = Question(place=60, tables=("memory", "foretold", "performance"), figure="capacities")
