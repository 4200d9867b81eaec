"""Question of Sec. 17: what it requires and makes."""

from studies.gated.questions import Experiment, Question

QUESTION = Question(
    place=180,
    sections="17",
    tables=("generation_growth", "generation_times", "generation_example"),
    experiments={"lorenz": Experiment("lorenz"), "mackey_glass": Experiment("mackey_glass")},
)
