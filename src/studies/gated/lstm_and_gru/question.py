"""Question of Sec. 9 and 10: what it requires and makes."""

from studies.gated.questions import Experiment, Question

QUESTION = Question(
    place=100,
    sections="9 and 10",
    tables=("gru_interpolation", "lstm_gru_costs", "lstm_gru_losses", "lstm_gru_shares", "lstm_gru_curves"),
    experiments={
        f"compared_{task}_{cell}": Experiment(name, (cell,))
        for task, name in {"sum": "delayed_sum", "few": "delayed_sum", "denoise": "denoise"}.items()
        for cell in ("lstm", "gru")
    },
)
