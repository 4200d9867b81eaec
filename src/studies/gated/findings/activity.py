"""What penalties on activations do."""

from collections.abc import Callable, Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, number, percent
from studies.gated.exhibits.activity import TABLES

IN_WORDS = {"sum": "the delayed sum", "denoise": "denoise"}


def answer(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str]) -> Finding:
    """From the tables of `studies.gated.exhibits.activity`."""
    units, gradients, shares, _ = (tables[name] for name in TABLES)
    longest = int(gradients["lag"].max())
    arriving = gradients[gradients["lag"] == longest]
    learned = shares.groupby("architecture", sort=False)["share"].mean().rename(labels)
    plain = labels[units.loc[units["strength"] == 0, "architecture"].iloc[0]]

    def told(table: pd.DataFrame, column: str, form: Callable[[float], str] = number) -> str:
        values = table.groupby("architecture", sort=False)[column].median().rename(labels).to_dict()
        return listed(f"{form(value)} for {name}" for name, value in values.items())

    by_task = {IN_WORDS[task]: units[units["task"] == task] for task in units["task"].unique().tolist()}
    reached = {IN_WORDS[task]: arriving[arriving["task"] == task] for task in arriving["task"].unique().tolist()}
    parts = [
        f"""On {task} mean |c| is {told(rows, "cell")}; the output gate {told(rows, "output_gate")}; and validation loss
        {told(rows, "validation_loss")}."""
        for task, rows in by_task.items()
    ]
    crossing = [f"{told(rows, 'gradient')} on {task}" for task, rows in reached.items()]
    saturated = [f"on {task} {told(rows, 'saturated', percent)}" for task, rows in by_task.items()]
    return Finding(
        "Do penalties on activations keep units from saturation, and gradients from vanishing?",
        f"Of hidden units there are saturated {listed(saturated)}.",
        f"""
            Across {longest} steps a gradient has a size of {listed(crossing)}. A hidden unit is the output gate times
            tanh(c), so that a penalty on it can be met by either. {" ".join(parts)} Of the lags of the delayed sum
            {listed(f"{percent(share)} by {name}" for name, share in learned.items())} is learned.
        """,
        {},
        f"The task: a penalty has something to cure only where {plain} saturates without it.",
        ("", "activity"),
        [("", name) for name in TABLES],
    )
