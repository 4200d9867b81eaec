"""Question of Sec. 6: what it requires and makes."""

from studies.gated.questions import Experiment, Question

QUESTION = Question(
    place=50,
    sections="6",
    tables=("depth_layers", "depth_profiles", "depth_losses", "depth_shares", "depth_rates"),
    experiments={"depth": Experiment("delayed_sum", ("lstm", "lstm_2_layers"))},
)
