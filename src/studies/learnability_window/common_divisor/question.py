"""Tables that answer the question, and figures that it draws."""

from studies.learnability_window.questions import Figure, Question

OF_TWO_TASKS = [
    f"{of}{kind}" for kind in ("curve", "training_windows", "training_responses", "resonances") for of in ("", "other_")
]
"""Tables of this task's networks, and, as `other_…`, those of the run that they are compared with."""
QUESTION = Question(
    place=90,
    tables=[("", "common_divisor")],
    figures={"common_divisor": Figure("tasks", OF_TWO_TASKS, "adamw", "two_tasks")},
)
