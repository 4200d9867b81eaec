"""Tables that answer the question, and figures that it draws."""

from studies.ground_truth.questions import Question

QUESTION = Question(place=10, tables=("half_learned", "learned_share"), figure="phases", of_each_grid=True)
