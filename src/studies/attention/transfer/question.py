"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(place=130, tables=("copy_transfer",), figures={"copy_transfer": ("copy_transfer",)})
