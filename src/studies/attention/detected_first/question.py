"""What the question is answered from, and what it draws."""

from studies.attention.questions import Question

QUESTION = Question(
    place=200,
    tables=("attention_training", "attention_order"),
    figures=("attention_training",),
    needs="training_windows",
)
