"""Resonances of networks at the lags of the task, for the page."""

from typing import Any

from learnability.report.findings import number
from studies.learnability_window.evidence import Evidence


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: `carried` harmonics by architecture, and the `three` gates with all columns.

    `with_loss` are rank correlations with the loss, `distance` are distances from the loss of a comb.
    """
    found = evidence.adamw("", "resonances")
    wrong = [name for name in map(str, found) if name.startswith("at harmonics of ")]
    return {
        "period": found["period"].iloc[0],
        "possible": found["harmonics"].iloc[0],
        "carried": found["at harmonics"],
        "three": found.loc[evidence.three],
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
