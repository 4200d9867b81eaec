"""Tables that answer the question, and figures that it draws."""

from studies.learnability_window.questions import Figure, Question

QUESTION = Question(
    place=20,
    tables=[("", "transport_by_lag"), ("", "transport_check"), ("", "resonances"), ("gradient_step", "windows")],
    figures={"transport": Figure("windows", ["transport", "windows"], "adamw")},
)
