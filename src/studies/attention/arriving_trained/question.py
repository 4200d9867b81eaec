"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(
    place=140,
    tables=("trained_gradients", "denoised"),
    figures={"trained_gradients": ("trained_gradients", "denoised", "backward_costs")},
)
