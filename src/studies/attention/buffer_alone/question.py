"""What the question is answered from, and what it draws."""

from studies.attention.questions import Question

QUESTION = Question(place=180, tables=("learning_speed",), figures=("attention_short_term",))
