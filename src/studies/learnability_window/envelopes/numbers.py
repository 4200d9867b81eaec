"""Time constants of first-order envelopes by optimiser and start (Figure 1), for the page."""

from typing import Any

from learnability.report.findings import spread
from studies.learnability_window.evidence import Evidence
from studies.learnability_window.paper import OPTIMIZERS, TIME_CONSTANTS


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: `tau` is the mean over seeds, `low` and `high` are the range.

    They are indexed by optimiser and architecture, as the number of `seeds` is. `published` has the paper's numbers by
    optimiser and role.
    """
    rates = evidence.table("paper", "learning_rates").set_index(["optimizer", "architecture"])
    low, high = rates["τ_env, smallest"], rates["τ_env, largest"]
    ranges = {name: rates.loc[name, ["τ_env, smallest", "τ_env, largest"]].apply(spread, axis=1) for name in OPTIMIZERS}
    return {
        "tau": rates["τ_env"],
        "low": low,
        "high": high,
        "seeds": rates["seeds"],
        "published": TIME_CONSTANTS,
        "rows": {
            "paper, AdamW": evidence.of_roles(TIME_CONSTANTS["adamw"]),
            "paper, SGD": evidence.of_roles(TIME_CONSTANTS["sgd"]),
            **{f"measured, {words}, range over seeds": ranges[name] for name, words in OPTIMIZERS.items()},
        },
    }
