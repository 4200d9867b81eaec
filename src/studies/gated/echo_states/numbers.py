"""Share of reservoirs that forget, by spectral radius, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.gated.echo_states.measure import AT, BELOW


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`.

    Returns:
        `above`, by input, the share of reservoirs with echo states among spectral radii above 1; `decided` cases of
        weights and input, in how many of them the sign of the exponent `agrees`, and how many are `left`; `steps`
        until a change is forgotten, by input, at the radii `small` and `near`; and medians of the counterexamples
        `below` and `at` a radius of 1, at their last step.
    """
    exponents, examples = tables["echo_exponents"], tables["echo_counterexamples"]
    ends = examples[examples["step"] == examples["step"].max()].groupby("case").median(numeric_only=True)
    clear = exponents[exponents["decided"]]
    radii = exponents["radius"]
    small, near = radii.min(), radii[radii <= 1].max()
    steps = exponents.set_index(["radius", "input"])["forgotten_after"].sort_index()
    return {
        "above": exponents[radii > 1].groupby("input")["echo_states"].mean(),
        "agrees": int(((clear["exponent"] < 0) == clear["echo_states"]).sum()),
        "decided": len(clear),
        "left": len(exponents) - len(clear),
        "small": small,
        "near": near,
        "small_steps": steps.loc[small],
        "near_steps": steps.loc[near],
        "below": ends.loc[BELOW],
        "at": ends.loc[AT],
    }
