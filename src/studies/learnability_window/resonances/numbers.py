"""Resonances of networks at the lags of the task, for the page."""

from typing import Any

from learnability.report.findings import number
from studies.learnability_window.evidence import Evidence


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: resonances at harmonics of the lags' common divisor and elsewhere, by architecture."""
    found, both = evidence.adamw("", "resonances"), evidence.table("", "harmonics_and_loss").set_index("counted")
    period = found["period"].iloc[0]
    names = [name for name in map(str, found) if name.startswith("at harmonics of ")]
    three = found.loc[evidence.three]
    carried = found["at harmonics"]
    return {
        "period": period,
        "possible": found["harmonics"].iloc[0],
        "carried": carried[evidence.three],
        "slow": carried[[evidence.labels[each] for each in evidence.groups["slow"].values()]],
        "wrong": three[[name for name in names if abs(int(name.split()[-1]) - period) == 1]].to_numpy(),
        "halfway": three["half-way between"],
        "rho": both["Spearman"],
        "low": both["low"],
        "high": both["high"],
        "networks": both["networks"].iloc[0],
        "distance": evidence.table("", "distance_from_comb").set_index("of").loc["last epoch"],
        "below": three["below the comb"].sum(),
        "seeds": three["seeds"].sum(),
        "apart": (three["validation loss"] - three["loss of such a comb"]).abs(),
        "rows": {
            "harmonics": carried.map(number),
            "half-way between": found["half-way between"].map(number),
            **{name: found[name].map(number) for name in names},
            "validation loss": found["validation loss"].map(number),
            "loss of a comb of as many": found["loss of such a comb"].map(number),
            "with those half-way between": found["with those between"].map(number),
        },
    }
