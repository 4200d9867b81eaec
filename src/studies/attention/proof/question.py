"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(
    place=30,
    tables=("theory_coefficients", "theory_gaps", "theory_truncations"),
    figures={"theory_sums": ("theory_gaps", "theory_truncations")},
)
