"""Sequence generators with known lags."""

from learnability.tasks.delayed_sum import DelayedSum
from learnability.tasks.sequences import Sequences, read_sequences, write_sequences
from learnability.tasks.task import TASKS, Task, build_task

__all__ = ["TASKS", "DelayedSum", "Sequences", "Task", "build_task", "read_sequences", "write_sequences"]
