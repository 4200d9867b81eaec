"""Tables that answer the question, and figures that it draws."""

from studies.learnability_window.questions import Figure, Question

QUESTION = Question(
    place=15,
    tables=[("gradient_step", "learning_rates")],
    figures={"end_losses": Figure("networks", ["curve"], "adamw", "by_adamw")},
)
