"""Tables that answer the question, and figures that it draws."""

from studies.learnability_window.questions import Figure, Question

QUESTION = Question(
    place=30,
    tables=[("paper", "learning_rates")],
    figures={
        "figure_01": Figure("rates", ["envelope", "fits"], "adamw"),
        "figure_04": Figure("rates", ["spectrum"], "adamw"),
        "figure_08": Figure("rates", ["envelope", "fits"], "sgd"),
        "figure_09": Figure("rates", ["spectrum"], "sgd"),
        "figure_10": Figure("rates", ["envelope", "fits"], "sgd_momentum"),
        "figure_11": Figure("rates", ["spectrum"], "sgd_momentum"),
        "time_constants": Figure("rates", ["fits"], shows="by_adamw"),
    },
)
