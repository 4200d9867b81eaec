"""What penalties on activations do."""

from collections.abc import Callable, Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, number, percent
from studies.gated.activity.measure import TABLES

IN_WORDS = {"sum": "the delayed sum", "denoise": "denoise"}


def answer(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str]) -> Finding:
    """From the tables of `studies.gated.activity.measure`."""
    units, gradients, shares, _ = (tables[name] for name in TABLES)
    longest = int(gradients["lag"].max())
    arriving = gradients[gradients["lag"] == longest]
    learned = shares.groupby("architecture", sort=False)["share"].mean().rename(labels)
    plain = labels[units.loc[units["strength"] == 0, "architecture"].iloc[0]]

    def told(table: pd.DataFrame, column: str, form: Callable[[float], str] = number) -> str:
        values = table.groupby("architecture", sort=False)[column].median().rename(labels).to_dict()
        return listed(f"{form(value)} for {name}" for name, value in values.items())

    by_task = {IN_WORDS[task]: units[units["task"] == task] for task in units["task"].unique().tolist()}
    parts = [
        f"""On {task} mean |c| is {told(rows, "cell")}; the output gate {told(rows, "output_gate")}; and validation loss
        {told(rows, "validation_loss")}."""
        for task, rows in by_task.items()
    ]
    saturated = [f"on {task} {told(rows, 'saturated', percent)}" for task, rows in by_task.items()]
    medians = units.groupby(["task", "strength", "architecture"])["saturated"].median()
    without = medians.xs(0, level="strength").groupby("task").max()
    worst = str(without.idxmax())
    penalised = medians[worst].drop(0, level="strength")
    times = _beside(arriving, units.loc[units["strength"] == 0, "architecture"].iloc[0])
    larger = times > 1
    helps = [*(penalised < without[worst]), *larger.to_numpy().ravel()]
    verdict = "Yes" if all(helps) else "In part" if any(helps) else "No"
    crossing = [
        f"{listed(f'{number(time)} for {labels[str(name)]}' for name, time in row.items())} on {IN_WORDS[str(task)]}"
        for task, row in times.iterrows()
    ]
    return Finding(
        "Do penalties on activations keep units from saturation, and gradients from vanishing?",
        f"""
            {verdict}. With a penalty at most {percent(penalised.max())} of units saturate; gradients grow in
            {larger.sum().sum()} of {larger.size} cases.
        """,
        f"""
            The share of saturated hidden units is {listed(saturated)}. A gradient across {longest} steps is, over that
            of {plain} of the same seed, {listed(crossing)}. A hidden unit is the output gate times tanh(c), so that
            either can meet a penalty on it. {" ".join(parts)} The learned share of the lags of the delayed sum is
            {listed(f"{percent(share)} for {name}" for name, share in learned.items())}.
        """,
        {},
        f"the task: a penalty can only help where {plain} saturates without it.",
        ("", "activity"),
        [("", name) for name in TABLES],
    )


def _beside(gradients: pd.DataFrame, plain: str) -> pd.DataFrame:
    """The gradient with each penalty over the gradient without one, of the same seed; medians for each task."""
    sizes = gradients.pivot(index=["task", "seed"], columns="architecture", values="gradient")
    ratios = sizes.drop(columns=plain).div(sizes[plain], axis=0)
    order = [name for name in gradients["architecture"].unique() if name != plain]
    return ratios.groupby("task").median().loc[gradients["task"].unique(), order]
