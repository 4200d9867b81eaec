"""Sequence generators with known lags."""

from learnability.tasks.delayed_sum import DelayedSum, Sequences

__all__ = ["DelayedSum", "Sequences"]
