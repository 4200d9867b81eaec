"""Windows by the rules of the author's code (Figure 2), for the page."""

from typing import Any

import numpy as np

from learnability.report.findings import number
from studies.learnability_window.evidence import Evidence
from studies.learnability_window.paper import WINDOWS, in_words


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: windows of the three gates at N nearest to the measured sequences, and controls."""
    windows, floor = (evidence.adamw("published_code", name) for name in ("windows", "floor"))
    control = evidence.table("published_code", "null_control")
    nulls, measured = control[control["transport"] == "first_order"].sum(numeric_only=True), control["sequences"].max()
    sizes = [int(name.removeprefix("N = ")) for name in map(str, windows) if name.startswith("N = ")]
    size = min(sizes, key=lambda size: abs(np.log(size / measured)))
    found, exact = (windows.loc[windows["transport"] == kind, f"N = {size}"] for kind in ("first_order", "exact"))
    (_, longest) = WINDOWS["const_gate"][-1]
    return {
        "size": size,
        "windows": found[evidence.three],
        "floored": floor.loc[evidence.three, "first floored"],
        "longest": longest,
        "above": floor[f"decades above at {longest:g}"]["ConstGate"],
        "permuted": nulls["permuted"],
        "signs": nulls["random signs"],
        "networks": nulls["networks"],
        "rows": {
            "paper, steps": evidence.of_roles({role: in_words(ranges) for role, ranges in WINDOWS.items()}),
            "first order, median over seeds": found.map(number),
            "first lag below the floor in any seed": floor["first floored"].map(number),
            "exact transport, far above the floor": exact.map(number),
        },
    }
