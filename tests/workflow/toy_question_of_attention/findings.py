"""The smallest loss; every number is one of a table."""

from collections.abc import Mapping

from learnability.report.findings import Finding, number
from learnability.report.style import Tables


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """The smallest validation loss of all networks."""
    best = tables["last_losses"].sort_values("validation_loss").iloc[0]
    return Finding(
        "Which network ends with the smallest loss?",
        f"{labels[best['architecture']]}: {number(best['validation_loss'])}.",
        "It is the median over seeds.",
        {},
        "the number of epochs.",
        ("", "last_losses"),
    )
