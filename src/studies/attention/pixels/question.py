"""What the question is answered from, and what it draws."""

from studies.attention.questions import Question

QUESTION = Question(place=160, tables=("pixels",), figures=("pixels", "attention_pixels"))
