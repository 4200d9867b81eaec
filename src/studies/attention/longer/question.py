"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(
    place=100, tables=("longer_training",), figures={"longer_training": ("curve", "longer_training", "learning_speed")}
)
