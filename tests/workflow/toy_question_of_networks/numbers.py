"""Losses at the end of training, for the page."""

from typing import Any

from learnability.report.findings import number
from studies.learnability_window.evidence import Evidence


def numbers(evidence: Evidence) -> dict[str, Any]:
    """The validation losses of all architectures, medians over seeds."""
    losses = evidence.adamw("gradient_step", "learning_rates")["validation loss"]
    return {"losses": losses, "rows": {"validation loss": losses.map(number)}}
