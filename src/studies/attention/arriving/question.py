"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(place=60, tables=("gradient_norms",), figures={"gradient_norms": ("gradient_norms",)})
