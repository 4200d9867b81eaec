"""Question of Sec. 3 to 5: what it requires and makes."""

from studies.gated.questions import Experiment, Question

QUESTION = Question(
    place=30,
    sections="3 to 5",
    tables=("refinements_steps", "refinements_ends", "refinements_curves", "refinements_rates"),
    experiments={"selective": Experiment("denoise", ("rnn", "lstm"))},
)
