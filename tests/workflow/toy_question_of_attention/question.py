"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(place=95, tables=("last_losses",), figures={"last_losses": ("last_losses",)})
