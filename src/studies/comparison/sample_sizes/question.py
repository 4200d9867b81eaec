"""Tables that answer the question, and figures that it draws."""

from studies.comparison.questions import Question

QUESTION = Question(
    place=96, tables=("half_learned", "n50_predictions", "n50_longer", "n50_expected"), figure="sample_sizes"
)
