"""Learned shares of each lag, for the page."""

from typing import Any

from learnability.report.findings import number
from studies.learnability_window.evidence import Evidence
from studies.learnability_window.paper import WINDOWS


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: `share` by architecture and lag, and losses by architecture.

    `windows` are the largest that the paper prints of each role.
    """
    responses, rates = evidence.adamw("", "learned"), evidence.adamw("gradient_step", "learning_rates")
    share = responses.filter(like="r/c at ").rename(columns=lambda name: int(name.split()[-1]))
    return {
        "share": share,
        "three": share.loc[evidence.three],
        "learned": responses.loc[evidence.three],
        "rates": rates.loc[evidence.three],
        "steps_after_the_longest_lag": responses.loc[evidence.three].filter(like="loss: ").sum(axis=1),
        "windows": {role: ranges[-1][1] for role, ranges in WINDOWS.items()},
        "rows": {
            **{f"learned share of lag {lag}": share[lag].map(number) for lag in share},
            "training loss": rates["training loss"].map(number),
            "seeds": rates["seeds"].map(number),
        },
    }
