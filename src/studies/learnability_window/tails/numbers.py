"""Tail indices by what counts as a draw (Figure 5), for the page."""

from typing import Any

from learnability.report.findings import number
from studies.learnability_window.evidence import Evidence


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: median tail indices of `pairs` of a sequence and a step, and of `means` of sequences."""
    pairs, code, means = (evidence.adamw(reading, "floor") for reading in ("paper", "published_code", "gradient_step"))
    return {
        "pairs": pairs["α̂ without"],
        "means": means["α̂ without"],
        "rows": {
            "pairs": pairs["α̂ without"].map(number),
            "pairs, by the author's code": code["α̂ with"].map(number),
            "means of sequences": means["α̂ without"].map(number),
        },
    }
