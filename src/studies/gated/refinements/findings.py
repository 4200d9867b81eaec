"""Does each refinement that the notes add help?"""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, number, percent
from learnability.report.style import Tables
from studies.gated.refinements.measure import OF_THE_LSTM, STEPS

LEAD = 0.05
"""Share of the symbols by which one network is ahead of another."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """From `refinements_steps` and `refinements_ends`."""
    steps, ends = tables["refinements_steps"], tables["refinements_ends"]
    medians = ends.groupby("architecture")[["accuracy", "loss", "size"]].median()
    gained = steps.groupby("step")[["accuracy_gained", "loss_ratio", "size_ratio", "slope_ratio"]].median()
    own = gained.reindex([name for name in OF_THE_LSTM if name in gained.index])
    helping = own.index[own["accuracy_gained"] >= LEAD]
    told = [f"{STEPS[name].words} {100 * own['accuracy_gained'][name]:+.0f}" for name in own.index]
    others = [
        f"{STEPS[name].words} it is {100 * gained['accuracy_gained'][name]:+.0f} points"
        for name in STEPS
        if name in gained.index and name not in OF_THE_LSTM
    ]
    never = ends.groupby("architecture")["learned_after"].count()
    rates = tables["refinements_rates"]
    count = rates.groupby("architecture")["rate"].nunique().max()
    at_edge = rates.loc[rates["chosen"] & rates["edge"], "architecture"].map(labels).tolist()
    rows = {
        "recall": medians["accuracy"].map(percent),
        "lowest loss, nats": medians["loss"].map(number),
        "seeds that learn": never.map(str) + " of " + ends.groupby("architecture")["seed"].nunique().map(str),
        "parameters": ends.groupby("architecture")["parameters"].first().map("{:,}".format),
        f"learning rate, chosen of {count}": ends.groupby("architecture")["rate"].first().map("{:g}".format),
        "updates until then": ends.groupby("architecture")["learned_after"].median().map(number),
    }
    rows = {name: values.rename(labels) for name, values in rows.items()}
    return Finding(
        "Does each refinement from the RNN to the LSTM help?",
        f"""
            {_verdict(len(helping), len(own))}. At equal size and tuned rates, {len(helping)} of {len(own)} refinements
            raise recall by {100 * LEAD:.0f} points or more.
        """
        if told
        else "No two networks of a step were trained.",
        f"""
            Symbols come at random places among blanks, and must be recalled in order after a marker. Recall changes by
            these points: {listed(told) if told else "none"}.
            {f"For {listed(others)}." if others else ""} {_growth(gained)} Numbers are medians over seeds, at the epoch
            of the lowest validation loss.
        """,
        rows,
        f"""
            the learning rate and the number of updates: each cell is shown at the best of {count} rates, and the table
            `refinements_rates` has the others.
            {f"A rate beyond the grid might be better for {listed(at_edge)}." if at_edge else ""}
        """,
        ("", "refinements"),
        [("", f"refinements_{kind}") for kind in ("steps", "ends", "curves", "rates")],
    )


def _verdict(helping: int, steps: int) -> str:
    return "Yes" if helping == steps else "In part" if helping else "No"


def _growth(gained: pd.DataFrame) -> str:
    """What forget gates do to the size of a memory."""
    told = []
    if "forgetting_rnn" in gained.index:
        size = gained["size_ratio"]["forgetting_rnn"]
        told.append(f"the state of the identity recurrence is {number(size)} times as large as with a forget gate")
    if "forget_gate" in gained.index:
        slope = gained["slope_ratio"]["forget_gate"]
        told.append(f"a forget gate multiplies the slope 1 - tanh²(c) of the LSTM's memory by {number(slope)}")
    return f"At the end {listed(told)}." if told else ""
