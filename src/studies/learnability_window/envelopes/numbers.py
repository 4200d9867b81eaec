"""Time constants of first-order envelopes by optimiser and start (Figure 1), for the page."""

from typing import Any

from learnability.report.findings import spread
from studies.learnability_window.evidence import Evidence
from studies.learnability_window.paper import TIME_CONSTANTS

OPTIMIZERS = {"adamw": "AdamW", "sgd": "SGD", "sgd_momentum": "SGD with momentum"}


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: τ_env in steps, medians over seeds, by optimiser and architecture."""
    rates = evidence.table("paper", "learning_rates").set_index(["optimizer", "architecture"])
    ends = [f"τ_env, {end}" for end in ("smallest", "largest")]
    return {
        "tau": rates["τ_env"],
        "low": rates[ends[0]],
        "high": rates[ends[1]],
        "rows": {
            "paper, AdamW": evidence.of_roles(TIME_CONSTANTS["adamw"]),
            "paper, SGD": evidence.of_roles(TIME_CONSTANTS["sgd"]),
            **{f"measured, {said}": rates.loc[name, ends].apply(spread, axis=1) for name, said in OPTIMIZERS.items()},
        },
    }
