"""Windows by the rules of the author's code (Figure 2)."""

import numpy as np
import pandas as pd

from learnability.report.findings import Finding, listed, number, spread
from studies.learnability_window.evidence import Evidence
from studies.learnability_window.paper import WINDOWS, in_words


def answer(evidence: Evidence) -> Finding:
    """Windows by the rules of the author's code (Figure 2)."""
    windows, floor = (evidence.adamw("published_code", name) for name in ("windows", "floor"))
    control = evidence.table("published_code", "null_control")
    nulls, measured = control[control["transport"] == "first_order"].sum(numeric_only=True), control["sequences"].max()
    sizes = [int(name.removeprefix("N = ")) for name in map(str, windows) if name.startswith("N = ")]
    size = min(sizes, key=lambda size: abs(np.log(size / measured)))
    found, exact = (windows.loc[windows["transport"] == kind, f"N = {size}"] for kind in ("first_order", "exact"))
    name, (*_, (_, end)) = evidence.roles["const_gate"], WINDOWS["const_gate"]
    above = floor[f"decades above at {end:g}"][name]
    published = pd.Series([end for ranges in WINDOWS.values() for end in (ranges[0][0], ranges[-1][1])])
    papers = f"""
        The floor ends these windows, but not the paper's. {name} has the paper's envelope, and in the paper its longest
        window is {end:g} steps; there the spread is still {above:.1f} orders of magnitude above the floor.
    """
    return Finding(
        "Do the windows of the author's code come out?",
        f"""
            No. The windows of the three gates are {spread(found[evidence.three])} steps, in the paper
            {spread(published)}.
        """,
        f"""
            At {number(size)} sequences they are {listed(number(value) for value in found[evidence.three])} steps for
            {listed(evidence.three)}. The
            code calls a lag undetectable where the spread of the statistic is below 10⁻¹², a numerical floor: it
            removes all lags from {listed(number(value) for value in floor.loc[evidence.three, "first floored"])} steps
            on, and just above it the estimate of the tail index makes windows. Two controls hold
            no signal. With errors of another sequence {nulls["permuted"]:.0f} of {nulls["networks"]:.0f} networks have
            a window all the same; with random signs {nulls["random signs"]:.0f} have one more often than the stated
            level.
            {papers if np.isfinite(above) else ""}
        """,
        {
            "paper, steps": evidence.of_roles({role: in_words(ranges) for role, ranges in WINDOWS.items()}),
            "first order, median over seeds": found.map(number),
            "first lag below the floor in any seed": floor["first floored"].map(number),
            "exact transport, far above the floor": exact.map(number),
        },
        "`numerical_floor` (see `windows_by_option`), and the random direction: along others windows differ.",
        ("published_code", "figure_02"),
    )
