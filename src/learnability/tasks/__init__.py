"""Sequence generators with known lags, and the field's tests of memory.

A task is imported when it is used, by its name in settings or in Python: `from learnability.tasks import Copy`.
"""

from learnability.tasks.registry import TASKS
from learnability.tasks.sequences import Sequences, read_sequences, write_sequences
from learnability.tasks.task import Task, build_task

__getattr__ = TASKS.class_named

__all__ = ["TASKS", "Sequences", "Task", "build_task", "read_sequences", "write_sequences"]
