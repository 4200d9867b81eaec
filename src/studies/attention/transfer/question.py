"""What the question is answered from, and what it draws."""

from studies.attention.questions import Question

QUESTION = Question(place=130, tables=("copy_transfer",), figures=("copy_transfer",))
