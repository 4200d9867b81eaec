"""Tail indices by what counts as a draw (Figure 5), for the page."""

from typing import Any

from learnability.report.findings import number
from studies.learnability_window.evidence import Evidence


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: tail indices of `pairs`, by the author's `code`, and of `means` over a sequence.

    They are of all architectures under AdamW, and `by_sgd` are means under plain SGD; `three` are pairs of the
    paper's gates. `same_at_all_lags` says whether the noise of
    whole sequences has one scale at all lags, as the law that is fitted to all of them together has.
    """
    readings = {"pairs": "paper", "code": "published_code", "means": "gradient_step"}
    floors = {name: evidence.adamw(reading, "floor") for name, reading in readings.items()}
    pairs, code, means = floors["pairs"]["α̂ without"], floors["code"]["α̂ with"], floors["means"]["α̂ without"]
    all_floors = evidence.table("gradient_step", "floor").set_index(["optimizer", "architecture"])
    return {
        "by_sgd": all_floors.loc["sgd", "α̂ without"],
        "three": pairs[evidence.three],
        "pairs": pairs,
        "code": code,
        "means": means,
        "same_at_all_lags": bool((floors["means"]["σ̂ largest/smallest"] == 1).all()),
        "floored": floors["code"]["lags floored"],
        "rows": {
            "single steps": pairs.map(number),
            "single steps, by the author's code": code.map(number),
            "means of sequences": means.map(number),
        },
    }
