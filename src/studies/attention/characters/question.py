"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(
    place=170,
    tables=("characters", "hyperparameters"),
    figures={"characters": ("curve", "characters"), "attention_characters": ("attention",)},
)
