"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(place=110, tables=("recipes",), figures={"recipes": ("curve", "recipes", "learning_speed")})
