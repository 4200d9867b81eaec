"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(
    place=90,
    tables=("learning_speed", "hyperparameters"),
    figures={"learning_speed": ("learning_speed",)},
    played=("curve",),
)
