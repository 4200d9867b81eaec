"""Tables that answer the question, and figures that it draws."""

from studies.attention.questions import Question

QUESTION = Question(
    place=40,
    tables=("theory_chains", "theory_laws", "theory_lengths"),
    figures={"theory_sparse": ("theory_chains", "theory_lengths")},
)
