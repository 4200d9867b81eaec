"""Share of reservoirs that forget, by spectral radius, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.gated.echo_states.measure import AT, BELOW, WEAK


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`.

    Returns:
        `above`, by input, the share of reservoirs with echo states among spectral radii above 1, and of `weak_above`
        with weak input how many are `forgetting`, and distances of `undecided` ones; `below_forget`, the share below 1;
        `cases` of weights and input, in how many of them the sign of the exponent `agrees` with echo states, and those
        that are `unlike`; `steps` until a change is forgotten, by input, at the radii `small` and `near`; and medians
        of the counterexamples `below` and `at` a radius of 1, at their last step.
    """
    exponents, examples = tables["echo_exponents"], tables["echo_counterexamples"]
    ends = examples[examples["step"] == examples["step"].max()].groupby("case").median(numeric_only=True)
    agrees = (exponents["exponent"] < 0) == exponents["echo_states"]
    radii = exponents["radius"]
    small, near = radii.min(), radii[radii <= 1].max()
    weak = exponents[(radii > 1) & (exponents["input"] == WEAK)]
    undecided = weak[~weak["echo_states"] & ~weak["decided"]]
    steps = exponents.set_index(["radius", "input"])["forgotten_after"].sort_index()
    return {
        "seeds": exponents["seed"].nunique(),
        "above": exponents[radii > 1].groupby("input")["echo_states"].mean(),
        "below_forget": exponents.loc[radii < 1, "echo_states"].mean(),
        "forgetting": int(weak["echo_states"].sum()),
        "weak_above": len(weak),
        "undecided": undecided["distance"],
        "agrees": int(agrees.sum()),
        "cases": len(exponents),
        "unlike": exponents[~agrees],
        "small": small,
        "near": near,
        "small_steps": steps.loc[small],
        "near_steps": steps.loc[near],
        "below": ends.loc[BELOW],
        "at": ends.loc[AT],
    }
