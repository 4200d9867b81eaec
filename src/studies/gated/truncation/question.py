"""Question of Sec. 8: what it requires and makes."""

from studies.gated.questions import Experiment, Question

QUESTION = Question(
    place=90,
    sections="8",
    tables=("truncation_shares", "truncation_losses", "truncation_curves", "truncation_costs"),
    experiments={f"truncation_{steps}": Experiment("delayed_sum") for steps in (0, 4, 8, 16)},
)
