"""Section 13: whether a spectral radius says what a reservoir remembers."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from learnability.report.findings import Finding, listed, number, percent, percents, spread
from learnability.report.style import Tables
from studies.gated.echo_states.measure import AT, BELOW, NONE, STRONG, TABLES, WEAK


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """From products of Jacobians, exponents and the counterexamples."""
    exponents = tables["echo_exponents"]
    examples = tables["echo_counterexamples"]
    ends = examples[examples["step"] == examples["step"].max()]
    last = ends.groupby("case").median(numeric_only=True).to_dict("index")
    above = exponents[exponents["radius"] > 1].groupby("input")["echo_states"].mean()
    inputs = {NONE: "no input", WEAK: "weak input", STRONG: "strong input"}
    shares = listed(f"{percent(above[name])} with {words}" for name, words in inputs.items())
    below, at = last[BELOW], last[AT]
    decided = exponents[exponents["decided"]]
    agree = int(((decided["exponent"] < 0) == decided["echo_states"]).sum())
    return Finding(
        "Does the spectral radius decide whether a reservoir forgets where it started?",
        f"""
            {"No" if above.max() > 0 or below["distance"] > 0 else "Yes"}. Above a radius of 1, {percents(above)}
            of the reservoirs forget it, depending on the input.
        """,
        f"""
            Of the reservoirs with a spectral radius above 1, {shares} forget where they started. One with a spectral
            radius of {below["spectral_radius"]:.2f} and no input does not: its states end {number(below["distance"])}
            apart. {_exponents(agree, len(decided), len(exponents) - len(decided))} {_memory(exponents)} Nor are
            vanishing products of Jacobians, by which the notes define echo states, the same as these. From every start
            of the first counterexample they fall to {number(below["stretch"])}, while states end
            {number(below["distance"])} apart: a derivative sees close states only. And one unit of weight 1 without
            input comes back to 0 from everywhere, if slowly ({number(at["distance"])} after {at["step"]:.0f} steps),
            while at 0 the product is {number(at["stretch"])}.
        """,
        {},
        """
            `gated.exhibits.echo_states.inputs`, the strength of the input: saturated units contract, whatever the
            radius. No setting undoes the first counterexample; a largest singular value below 1 would.
        """,
        ("", "echo_states"),
        tuple(("", name) for name in TABLES),
    )


def _exponents(agree: int, decided: int, left: int) -> str:
    return f"""
        The sign of the largest Lyapunov exponent says it in {agree} of {decided} cases of weights and input;
        {left} more are too close to 0 for these steps.
    """


def _memory(exponents: pd.DataFrame) -> str:
    """In how many steps a change is forgotten, at the least radius and at that next to 1."""
    radii = exponents["radius"]
    small, near = radii.min(), radii[radii <= 1].max()

    def told(name: str, radius: float) -> str:
        steps = exponents[(exponents["input"] == name) & (radii == radius)]["forgotten_after"]
        longest = "more than are shown"
        return spread(steps[np.isfinite(steps)]) if np.isfinite(steps).any() else longest

    return f"""
        A change of the state falls below a tenth, under weak input, in {told(WEAK, small)} steps at radius {small:g}
        and in {told(WEAK, near)} at {near:g}; under strong input in {told(STRONG, small)} and {told(STRONG, near)}.
    """
