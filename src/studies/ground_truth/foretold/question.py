"""Tables that answer the question, and figures that it draws."""

from studies.ground_truth.questions import Question

QUESTION = Question(
    place=20,
    tables=("contest", "left_out", "contest_by_choice", "contest_by_seeds", "random_halves"),
    figure="contest",
)
