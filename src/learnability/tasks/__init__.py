"""Sequence generators with known lags, and the field's tests of memory."""

from learnability.tasks.characters import Characters
from learnability.tasks.copying import Copy, Denoise
from learnability.tasks.delayed_sum import DelayedSum
from learnability.tasks.pixels import Pixels
from learnability.tasks.retrieval import Recall
from learnability.tasks.sequences import Sequences, read_sequences, write_sequences
from learnability.tasks.series import Lorenz, MackeyGlass, Narma
from learnability.tasks.task import TASKS, Task, build_task

__all__ = [
    "TASKS",
    "Characters",
    "Copy",
    "DelayedSum",
    "Denoise",
    "Lorenz",
    "MackeyGlass",
    "Narma",
    "Pixels",
    "Recall",
    "Sequences",
    "Task",
    "build_task",
    "read_sequences",
    "write_sequences",
]
