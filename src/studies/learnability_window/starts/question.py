"""Tables that answer the question, and figures that it draws."""

from studies.learnability_window.questions import Figure, Question

QUESTION = Question(
    place=100,
    tables=[("", "learned"), ("", "through_training"), ("gradient_step", "learning_rates")],
    figures={"starts": Figure("networks", ["curve"], "adamw", "starts")},
)
