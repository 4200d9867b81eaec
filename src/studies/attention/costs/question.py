"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(
    place=70, tables=("backward_costs", "backward_growth"), figures={"backward_costs": ("backward_costs",)}
)
