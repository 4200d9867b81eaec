"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(
    place=190,
    tables=("attention_windows", "attention_reach", "attention_widens"),
    figures={"attention_windows": ("attention_windows", "attention_widens")},
    needs="training_windows",
)
