"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(
    place=200,
    tables=("attention_training", "attention_order"),
    figures={"attention_detected": ("attention_order",), "attention_training": ("attention_training",)},
    needs="training_windows",
)
