"""Time constants of first-order envelopes by optimiser and start (Figure 1)."""

import pandas as pd

from learnability.report.findings import Finding, listed, number, spread
from studies.learnability_window.evidence import Evidence
from studies.learnability_window.paper import TIME_CONSTANTS

OPTIMIZERS = {"adamw": "AdamW", "sgd": "SGD", "sgd_momentum": "SGD with momentum"}


def answer(evidence: Evidence) -> Finding:
    """Time constants of first-order envelopes by optimiser and start (Figure 1)."""
    rates = evidence.table("paper", "learning_rates").set_index(["optimizer", "architecture"])
    ends = [f"τ_env, {end}" for end in ("smallest", "largest")]
    ranges = {
        said: rates.loc[name, ends].apply(spread, axis=1) for name, said in OPTIMIZERS.items() if name in rates.index
    }
    name, adamw = evidence.roles["diag_gate"], evidence.adamw("paper", "learning_rates")["τ_env"]
    of_one = listed(f"{found[name]} steps under {said}" for said, found in ranges.items() if name in found)
    slow = evidence.groups.get("slow", {}).get("diag_gate", "")
    ordered = "in" if adamw[evidence.three].is_monotonic_increasing else "not in"
    return Finding(
        "What decides how fast first-order envelopes fall?",
        f"""
            Mostly where gates start: from a slow start {name}'s time constant is
            {number(adamw[evidence.labels[slow]] / adamw[name])} times as long.
        """
        if slow in evidence.labels and evidence.labels[slow] in ranges["AdamW"]
        else f"The optimiser: the time constant of {name} is {of_one}.",
        f"""
            By optimiser the time constant of {name} is {of_one}.
            {_from_a_slow_start(ranges["AdamW"], evidence.labels.get(slow, ""))}
            The values of {listed(evidence.three)} under AdamW are {ordered} the paper's order. ConstGate's is the
            paper's because its gate, which the paper does not print, is set to give it. From a slow start, and under
            another optimiser, the same cells have others.
        """,
        {
            "paper, AdamW": evidence.of_roles(TIME_CONSTANTS["adamw"]),
            "paper, SGD": evidence.of_roles(TIME_CONSTANTS["sgd"]),
            **{f"measured, {said}": found for said, found in ranges.items()},
        },
        "`gate_init`: where gates start.",
        ("paper", "time_constants"),
    )


def _from_a_slow_start(ranges: "pd.Series[str]", slow: str) -> str:
    return f"From a slow start it is {ranges[slow]} steps under AdamW." if slow in ranges else ""
