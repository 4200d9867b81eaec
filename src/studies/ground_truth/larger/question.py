"""Tables that answer the question, and figures that it draws."""

from studies.ground_truth.questions import Question

QUESTION = Question(place=50, tables=("half_learned", "size_ratios"), figure="size_ratio")
