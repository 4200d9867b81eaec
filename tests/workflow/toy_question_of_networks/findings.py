"""The smallest loss; every number is one of a table."""

from learnability.report.findings import Finding, number
from studies.learnability_window.evidence import Evidence


def answer(evidence: Evidence) -> Finding:
    """The smallest validation loss of all architectures."""
    losses = evidence.adamw("gradient_step", "learning_rates")["validation loss"]
    return Finding(
        "Which network ends with the smallest loss?",
        f"{losses.idxmin()}: {number(losses.min())}.",
        "It is the median over seeds.",
        {"validation loss": losses.map(number)},
        "the number of epochs.",
        ("", "end_losses"),
    )
