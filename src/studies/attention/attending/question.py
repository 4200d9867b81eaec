"""What the question is answered from, and what it draws."""

from studies.attention.questions import Question

QUESTION = Question(place=150, tables=("attended",), figures=("attention_maps",))
