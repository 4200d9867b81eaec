"""Tables that answer the question, and figures that it draws."""

from studies.learnability_window.questions import Figure, Question

QUESTION = Question(
    place=70,
    tables=[("", "through_training"), ("", "detected_before_learned"), ("gradient_step", "complexity_and_share")],
    figures={
        "detected_before_learned": Figure("networks", ["training_windows", "training_responses"], shows="trained"),
    },
)
