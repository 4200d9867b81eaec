"""The smallest loss, for the page."""

from typing import Any

from learnability.report.findings import number
from studies.learnability_window.evidence import Evidence


def numbers(evidence: Evidence) -> dict[str, Any]:
    """The smallest validation loss of all architectures, and whose it is."""
    losses = evidence.adamw("gradient_step", "learning_rates")["validation loss"]
    return {"loss": losses.min(), "best": losses.idxmin(), "rows": {"validation loss": losses.map(number)}}
