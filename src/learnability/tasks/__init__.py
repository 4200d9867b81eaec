"""Sequence generators with known lags."""

from learnability.tasks.delayed_sum import DelayedSum
from learnability.tasks.sequences import Sequences, read_sequences, write_sequences

__all__ = ["DelayedSum", "Sequences", "read_sequences", "write_sequences"]
