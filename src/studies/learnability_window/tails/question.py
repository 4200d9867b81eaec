"""Tables that answer the question, and figures that it draws."""

from studies.learnability_window.questions import Figure, Question

QUESTION = Question(
    place=50,
    tables=[(reading, "floor") for reading in ("paper", "published_code", "gradient_step")],
    figures={
        "figure_05": Figure("windows", ["noise", "noise_of_all", "references"], "adamw"),
        "figure_06": Figure("windows", ["noise"], "adamw"),
    },
)
