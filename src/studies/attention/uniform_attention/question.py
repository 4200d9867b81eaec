"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(
    place=20,
    tables=("theory_exponents", "theory_spectra", "theory_networks", "theory_relative"),
    figures={"theory_exponents": ("theory_exponents",)},
)
