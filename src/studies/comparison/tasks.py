"""Words for the tasks of the study. It imports nothing slow."""

TASKS = {
    "sum": "the delayed sum",
    "sum_divisor": "the delayed sum with a common divisor",
    "selective": "selective copying",
    "recall": "associative recall",
    "digits": "permuted digits",
    "count": "counting",
    "heart": "forecasts of a heartbeat",
}
"""Words for ids of tasks; others go by their id."""
MEAN = "mean over tasks"
"""Name of means over tasks, which stand beside single tasks."""


def words(contest: str) -> str:
    """A task in words."""
    return TASKS.get(contest, contest.replace("_", " "))
