"""Question of Sec. 7.2: what it requires and makes."""

from studies.gated.questions import Experiment, Question

NETWORKS = ("lstm", "lstm_activity_weak", "lstm_activity", "lstm_temporal_weak", "lstm_temporal")
QUESTION = Question(
    place=70,
    sections="7.2",
    tables=("activity_units", "activity_gradients", "activity_shares", "activity_curves"),
    experiments={
        "activity_sum": Experiment("delayed_sum", NETWORKS),
        "activity_denoise": Experiment("denoise", NETWORKS),
    },
)
