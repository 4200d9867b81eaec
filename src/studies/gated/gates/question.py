"""Question of Sec. 2: what it requires and makes."""

from studies.gated.questions import Experiment, Question

QUESTION = Question(
    place=20,
    sections="2",
    tables=("gates_held", "gates_units", "gates_written", "gates_switch", "gates_probes"),
    experiments={"selective": Experiment("denoise", ("rnn", "lstm"))},
)
