"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(
    place=50,
    tables=("theory_exact", "theory_parameters"),
    figures={"theory_lemmas": ("theory_exact", "theory_parameters")},
)
