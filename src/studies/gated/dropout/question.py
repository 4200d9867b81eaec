"""Question of Sec. 7.1: what it requires and makes."""

from studies.gated.questions import Experiment, Question

QUESTION = Question(
    place=60,
    sections="7.1",
    tables=("dropout_losses", "dropout_noise", "dropout_shares", "dropout_curves"),
    experiments={
        "dropout": Experiment("delayed_sum", ("lstm", "lstm_dropout", "lstm_variational", "lstm_drop_connect"))
    },
)
