"""What the question is answered from, and what it draws."""

from studies.attention.questions import Question

QUESTION = Question(place=90, tables=("learning_speed", "hyperparameters"), figures=("learning_speed",))
