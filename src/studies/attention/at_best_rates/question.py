"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(
    place=210,
    tables=("attention_rates", "attention_best_rates"),
    figures={"attention_rates": ("attention_rates",)},
    needs="rated",
)
