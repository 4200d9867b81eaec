"""Question of Sec. 4: what it requires and makes."""

from studies.gated.questions import Experiment, Question

QUESTION = Question(
    place=40,
    sections="4",
    tables=("carousel_paths",),
    experiments={"selective": Experiment("denoise", ("rnn", "lstm"))},
)
