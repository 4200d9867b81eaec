"""Question of Sec. 18: what it requires and makes."""

from studies.gated.questions import Experiment, Question

QUESTION = Question(
    place=190,
    sections="18",
    tables=("cells", "cells_by_lag", "cells_rates"),
    experiments={"summary": Experiment("delayed_sum")},
    windows=True,
    searched=("rnn", "lstm", "gru", "lstm_slow", "gru_slow", "reservoir", "sparse_reservoir", "leaky_reservoir"),
)
