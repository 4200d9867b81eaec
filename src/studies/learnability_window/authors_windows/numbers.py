"""Windows by the rules of the author's code (Figure 2), for the page."""

from typing import Any

from learnability.report.findings import number
from studies.learnability_window.evidence import Evidence
from studies.learnability_window.paper import WINDOWS, in_words

SIZE = 3200
"""Sequences N of the windows that the page tells; of those in the table the nearest to what was measured."""


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: `windows` of the three gates with `SIZE` sequences, and what limits them.

    `above` is how many orders of magnitude the spread of ConstGate lies above the floor at the end of the paper's
    window; `nulls` counts networks with a window where
    there is no signal, by first-order transport.
    """
    windows, floor = (evidence.adamw("published_code", name) for name in ("windows", "floor"))
    control = evidence.table("published_code", "null_control").set_index("transport").drop(columns="sequences")
    nulls = control.groupby(level=0).sum(numeric_only=True)
    first_order, exact = (windows.loc[windows["transport"] == kind, f"N = {SIZE}"] for kind in ("first_order", "exact"))
    const_end = WINDOWS["const_gate"][-1][1]
    return {
        "size": SIZE,
        "windows": first_order[evidence.three],
        "exact": exact[evidence.three],
        "published": WINDOWS,
        "floored": floor.loc[evidence.three, "first floored"],
        "const_end": const_end,
        "above": floor.loc["ConstGate", f"decades above at {const_end:g}"],
        "nulls": nulls.loc["first_order"],
        "exact_nulls": nulls.loc["exact"],
        "rows": {
            "paper, steps": evidence.of_roles({role: in_words(ranges) for role, ranges in WINDOWS.items()}),
            "first order, median over seeds": first_order.map(number),
            "first lag below the floor in any seed": floor["first floored"].map(number),
            "exact transport, far above the floor": exact.map(number),
        },
    }
