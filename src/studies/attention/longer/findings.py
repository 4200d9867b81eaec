"""Networks that are trained for more updates than the others, when these end and at their own end."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, percent, spread
from learnability.report.style import Tables
from studies.attention.answers import NEAR
from studies.attention.paper import HYPERPARAMETERS, OF_TRAINING, UPDATES_OF_CODE
from studies.attention.trained_tables import (
    MOST,
    NAME,
    RISING,
    by_delay,
    in_words,
)


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Networks that are trained for more updates than the others, when these end and at their own end."""
    table = tables["longer_training"].assign(model=lambda rows: rows["architecture"].map(labels))
    of_tasks = [(in_words(name), table[table["experiment"] == name]) for name in by_delay(set(table["experiment"]))]
    early, late = table[table["early"] >= MOST], table[table["late"] >= MOST]
    told = [f"{_from_to(rows)} on {task}" for task, rows in of_tasks]
    beside = table.dropna(subset="paper")
    near = [((beside[when] - beside["paper"]).abs() <= NEAR).sum() for when in ("early", "late")]
    rising = table[(table["late"] < MOST) & (table["late_gain"] >= RISING)]
    gains = [
        f"{row['model']} by {100 * row['late_gain']:.0f} ({in_words(row['experiment'])})"
        for row in rising.to_dict("records")
    ]
    diverged = [
        f"{row['model']} on {in_words(row['experiment'])} ({row['diverged']} of {row['seeds']})"
        for row in table[table["diverged"] > 0].to_dict("records")
    ]
    answer, text = "No network was trained longer.", ""
    if len(table):
        verdict = "No" if len(late) == len(early) else "Yes" if len(late) == len(table) else "In part"
        updates = [spread(table[when]) for when in ("early_updates", "late_updates")]
        longer = spread((table["late_updates"] / table["early_updates"]).round(1))
        answer = f"""
            {verdict}. With {longer} times the updates the networks that learn rise from {len(early)} to {len(late)} of
            {len(table)}.
        """
        text = f"""
            A network has learned if it recalls {percent(MOST)} of the symbols of validation sequences:
            {f"at the end {listed(_on(late))} have" if len(late) else "none has"}. The recall after {updates[0]}
            updates, when the other networks end, and after {updates[1]} is {"; ".join(told)}. Of {len(beside)} values
            that the paper prints, {near[0]} are within {100 * NEAR:.0f} percentage points of ours when the other
            networks end, and {near[1]} at the end.
            {f"Still rising in the last quarter of training are {listed(gains)}." if gains else ""}
            {f"Training diverged for {listed(diverged)}." if diverged else ""} Tables 1, 2 and 5 and their verdicts use
            the longest training of each network, where there is none by the recipe of the authors' code.
        """
    single = (table["seeds"] == 1).sum()
    return Finding(
        "Do networks that have not learned learn with more updates?",
        answer,
        text,
        {},
        f"""
            the recipe and the seed: {single} of these {len(table)} networks have one seed. {_rates(table)} The authors'
            code trains for {UPDATES_OF_CODE:,} updates, by default with RMSprop at a rate of 0.001.
        """,
        ("", "longer_training"),
    )


def _rates(table: pd.DataFrame) -> str:
    """Networks whose learning rate the paper prints, and those whose rate is ours."""
    tasks = [match["task"] for name in table["experiment"] if (match := NAME.fullmatch(str(name)))]
    rate = HYPERPARAMETERS.index("learning_rate")
    known = [
        name in OF_TRAINING[task] and OF_TRAINING[task][name][rate] is not None
        for task, name in zip(tasks, table["architecture"], strict=True)
    ]
    models = {kind: sorted(set(table.loc[[each == kind for each in known], "model"])) for kind in (True, False)}
    parts = {True: "Tables 6 and 7 print the learning rates of {}", False: "the paper prints none for {}"}
    told = [parts[kind].format(listed(names)) for kind, names in models.items() if names]
    return f"{'; '.join(told)[:1].upper()}{'; '.join(told)[1:]}." if told else ""


def _on(rows: pd.DataFrame) -> list[str]:
    return [f"{row['model']} ({in_words(row['experiment']).rpartition(', ')[0]})" for row in rows.to_dict("records")]


def _from_to(rows: pd.DataFrame) -> str:
    named = rows.sort_values("late", ascending=False, kind="stable").to_dict("records")
    return listed(f"{percent(row['early'])} and {percent(row['late'])} ({row['model']})" for row in named)
