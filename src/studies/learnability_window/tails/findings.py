"""Tail indices by what counts as a draw (Figure 5)."""

from learnability.report.findings import Finding, number, spread
from studies.learnability_window.evidence import Evidence


def answer(evidence: Evidence) -> Finding:
    """Tail indices by what counts as a draw (Figure 5)."""
    pairs, code, means = (evidence.adamw(reading, "floor") for reading in ("paper", "published_code", "gradient_step"))
    three = pairs.loc[evidence.three, "α̂ without"]
    return Finding(
        "Is the noise of gradients heavy-tailed?",
        f"""
            Only pairs of a sequence and a step look it: the median tail index is {spread(three)}.
        """,
        f"""
            A normal law has an index of 2. With a draw for each sequence the index is
            {spread(means["α̂ without"])} ([figure](gradient_step/figures/figure_05.png)). The paper pools pairs, which
            are not independent draws; the product of two normal numbers has as low an index. A batch averages over
            sequences. Where the spread of a lag is below the floor of the author's code, the code reports 2 for any
            draws.
        """,
        {
            "pairs": pairs["α̂ without"].map(number),
            "pairs, by the author's code": code["α̂ with"].map(number),
            "means of sequences": means["α̂ without"].map(number),
        },
        "`sampling`: what counts as one draw.",
        ("paper", "figure_05"),
    )
