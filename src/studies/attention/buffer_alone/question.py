"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(
    place=180, tables=("learning_speed",), figures={"attention_short_term": ("attention", "learning_speed")}
)
