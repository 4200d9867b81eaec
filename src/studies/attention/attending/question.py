"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(
    place=150, tables=("attended",), figures={"attention_maps": ("attention", "attended", "learning_speed")}
)
