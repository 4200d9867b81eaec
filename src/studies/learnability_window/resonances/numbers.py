"""Resonances of networks at the lags of the task, for the page."""

from typing import Any

from learnability.report.findings import number
from studies.learnability_window.evidence import Evidence


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: rows of the `three` gates and of `slow` ones, and what `slow` have at wrong periods.

    `all` are rows of all architectures under AdamW, and `below_comb` how far their loss lies below a comb's.
    `with_loss` are rank correlations with the loss, `distance` are distances from the loss of a comb.
    """
    table = evidence.adamw("", "resonances")
    wrong = [name for name in map(str, table) if name.startswith("at harmonics of ")]
    everything = evidence.all_adamw("", "resonances")
    slow = table.loc[[evidence.labels[name] for name in evidence.groups["slow"].values()]]
    return {
        "period": table["period"].iloc[0],
        "possible": table["harmonics"].iloc[0],
        "all": everything,
        "below_comb": everything["loss of such a comb"] - everything["validation loss"],
        "three": table.loc[evidence.three],
        "slow": slow,
        "slow_at_wrong": slow[["at harmonics of 31", "at harmonics of 33"]].stack(),
        "with_loss": evidence.table("", "harmonics_and_loss").set_index("counted"),
        "distance": evidence.table("", "distance_from_comb").set_index("of"),
        "rows": {
            "harmonics": table["at harmonics"].map(number),
            "half-way between": table["half-way between"].map(number),
            **{name: table[name].map(number) for name in wrong},
            "validation loss, median over seeds": table["validation loss"].map(number),
            "loss of a comb of as many": table["loss of such a comb"].map(number),
            "with those half-way between": table["with those between"].map(number),
        },
    }
