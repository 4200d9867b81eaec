"""Resonances of networks at the lags of the task, for the page."""

from typing import Any

from learnability.report.findings import number
from studies.learnability_window.evidence import Evidence


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: rows of the `three` gates and of `slow` ones, and what `slow` have at wrong periods.

    `with_loss` are rank correlations with the loss, `distance` are distances from the loss of a comb; `by_sgd` counts
    networks.
    """
    found = evidence.adamw("", "resonances")
    wrong = [name for name in map(str, found) if name.startswith("at harmonics of ")]
    slow = found.loc[[evidence.labels[name] for name in evidence.groups["slow"].values()]]
    return {
        "period": found["period"].iloc[0],
        "possible": found["harmonics"].iloc[0],
        "three": found.loc[evidence.three],
        "slow": slow,
        "slow_at_wrong": slow[["at harmonics of 31", "at harmonics of 33"]].stack(),
        "by_sgd": evidence.count_by_sgd("resonances"),
        "with_loss": evidence.table("", "harmonics_and_loss").set_index("counted"),
        "distance": evidence.table("", "distance_from_comb").set_index("of"),
        "rows": {
            "harmonics": found["at harmonics"].map(number),
            "half-way between": found["half-way between"].map(number),
            **{name: found[name].map(number) for name in wrong},
            "validation loss": found["validation loss"].map(number),
            "loss of a comb of as many": found["loss of such a comb"].map(number),
            "with those half-way between": found["with those between"].map(number),
        },
    }
