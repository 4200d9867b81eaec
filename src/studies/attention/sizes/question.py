"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(place=80, tables=("screening",), figures={"screening": ("screening",)})
