"""Tables that answer the question, and figures that it draws."""

from studies.learnability_window.questions import Figure, Question

QUESTION = Question(
    place=80,
    tables=[("", "resonances"), ("", "harmonics_and_loss"), ("", "distance_from_comb")],
    figures={"resonances": Figure("networks", ["resonances", "harmonics", "curve"], "adamw")},
    played=["resonances", "harmonics", "curve"],
)
