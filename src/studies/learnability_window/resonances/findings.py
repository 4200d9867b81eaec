"""Resonances of networks at the lags of the task."""

import pandas as pd

from learnability.report.findings import Finding, listed, number, spread
from studies.learnability_window.evidence import Evidence, with_interval
from studies.learnability_window.tables.resonances import SEVERAL

FEWEST = 4
"""Harmonics below which a comb is none."""


def answer(evidence: Evidence) -> Finding | None:
    """How networks answer at the lags of the task; nothing where these have no divisor to speak of."""
    found, both = evidence.adamw("", "resonances"), evidence.table("", "harmonics_and_loss").set_index("counted")
    period, possible = found["period"].iloc[0], found["harmonics"].iloc[0]
    if possible < FEWEST:
        return None
    distance = evidence.table("", "distance_from_comb").set_index("of")
    every, last = distance.iloc[0].to_dict(), distance.loc["last epoch"].to_dict()
    several = distance.loc[next(name for name in distance.index if str(name).endswith("or more"))].to_dict()
    at, between = (both.loc[name].to_dict() for name in (f"harmonics of {period}", "half-way between"))
    names = [name for name in map(str, found) if name.startswith("at harmonics of ")]
    wrong = {name.removeprefix("at "): both.loc[name.removeprefix("at ")].to_dict() for name in names}
    near = [name for name in names if abs(int(name.split()[-1]) - period) == 1]
    three = found.loc[evidence.three]
    carried, apart = found["at harmonics"], three["validation loss"] - three["loss of such a comb"]
    slow = [
        name
        for name in (evidence.labels[each] for each in evidence.groups.get("slow", {}).values())
        if name in found.index and name not in evidence.three
    ]
    of_slow = f" From slow starts they are {listed(number(value) for value in carried[slow])}." if slow else ""
    return Finding(
        "How do networks respond at several lags?",
        f"""
            As comb filters: from ordinary starts {spread(carried[evidence.three])} of {possible} harmonics of the lags'
            common divisor have a resonance.
        """,
        f"""
            Resonances are eigenvalues of the mean one-step Jacobian. They move to whole numbers of cycles in {period}
            steps: {listed(evidence.three)} end with {listed(map(number, three["at harmonics"]))}.{of_slow} A filter
            with a resonance at each harmonic, a comb, responds at all multiples of {period} steps. Evidence that
            {period} steps are special: at wrong periods, {listed(name.split()[-1] for name in near)} steps, only
            {spread(pd.Series(three[near].to_numpy().ravel()))} harmonics have a resonance at the end. The rank
            correlation with the loss is no such evidence: over {number(at["epochs"])} stored epochs of
            {number(at["networks"])} networks it is {with_interval(at)} for harmonics of {period}, and
            {listed(f"{row['Spearman']:.2f} for {name}" for name, row in wrong.items())}. The three gates also have
            {spread(three["half-way between"])} resonances half-way between, harmonics of {2 * period} (rank correlation
            {with_interval(between)}); they cancel responses at odd multiples of {period} that are no lags. The loss is
            not that of a comb of as many harmonics whose teeth fall geometrically. The median distance from that loss
            is {number(every["magnitude"])} over all stored epochs, many of which have no harmonic,
            {number(several["magnitude"])} from {SEVERAL} harmonics on, and {number(last["magnitude"])} at the last
            epoch, where {three["below the comb"].sum():.0f} of {three["seeds"].sum():.0f} networks are below it, by
            {spread(apart.abs())}. If the resonances half-way between are added to the comb, the median distance at the
            last epoch is {number(last["its magnitude"])}. The mean Jacobian misses most of what
            {evidence.roles["diag_gate"]} from a slow start does, whose gates differ between units and follow the input.
        """,
        {
            "harmonics": carried.map(number),
            "half-way between": found["half-way between"].map(number),
            **{name: found[name].map(number) for name in names},
            "validation loss": found["validation loss"].map(number),
            "loss of a comb of as many": found["loss of such a comb"].map(number),
            "with those half-way between": found["with those between"].map(number),
        },
        f"`task.lags`: all are multiples of {period}; without a common divisor there is no comb to find.",
        ("", "resonances"),
    )
