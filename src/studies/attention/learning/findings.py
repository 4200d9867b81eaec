"""Which networks learn copy and denoise, and after how many updates."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, percent
from learnability.report.style import Tables
from studies.attention.paper import UPDATES_OF_CODE
from studies.attention.trained_tables import (
    BY,
    LONGER,
    MOST,
    PRINTED,
    RISING,
    best_founded,
    in_words,
    of_copying,
)


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Which networks learn copy and denoise, and after how many updates."""
    speed = tables["learning_speed"]
    table = of_copying(best_founded(speed), "", BY).assign(model=lambda rows: rows["architecture"].map(labels))
    reached = table.dropna(subset="updates").sort_values("updates", kind="stable")
    without = table[table["updates"].isna()].sort_values("accuracy", kind="stable")
    by_code = table[table["recipe"] != PRINTED]
    nearest = rising = diverged = both = ""
    if stopped := table["diverged"].sum():
        diverged = f"""
            Training diverged in {stopped} of {table["seeds"].sum()} trainings; such a network is kept as it was before.
        """
    if len(without):
        row = without.iloc[-1]
        nearest = f"""
            Of the others {row["model"]} comes nearest, with {percent(row["accuracy"])} at the end of training
            ({in_words(row["experiment"])}).
        """
        rising = f"""
            Of the {len(without)} that do not, {(without["late_gain"] >= RISING).sum()} still rise in the last quarter
            of training, by {100 * RISING:.0f} percentage points or more.
        """
    if len(by_code):
        network = ["task", "at_delay", "architecture"]
        as_printed = of_copying(speed, "", LONGER).groupby(network)["updates"].min()
        twice = by_code.set_index(network).join(as_printed.rename("printed"), how="inner")
        both = f"""
            The {len(by_code)} networks that were trained by the recipe of public code, for up to {UPDATES_OF_CODE:,}
            updates, are shown by that. Of {len(twice)} that were trained by both recipes
            {(twice["updates"].notna() & twice["printed"].isna()).sum()} learn by the recipe of public code alone, so
            others that have not learned as printed may, too.
        """
    return Finding(
        "Which networks learn to copy and to denoise, and how fast?",
        f"{len(reached)} of {len(table)} networks learn{_fastest(reached)}.",
        f"""
            A network is trained for each task and delay, and has learned when it recalls {percent(MOST)} of the
            symbols. The table has the number of updates until then, in whole epochs. {both} {nearest} {rising}
            {diverged} The paper does not print how long it trains. The next question trains some networks for longer.
        """,
        {},
        f"""
            `epochs`: a network as printed that has not learned after
            {table.loc[table["recipe"] == PRINTED, "all_updates"].max():,.0f} updates counts as one that never does.
        """,
        ("", "learning_speed"),
    )


def _fastest(reached: pd.DataFrame) -> str:
    """Which networks are the first at some delay of each task."""
    of_delay = reached.groupby(["task", "at_delay"])["updates"]
    first = reached[reached["updates"] == of_delay.transform("min")].sort_values("at_delay", kind="stable")
    told = [f"{listed(rows['model'].unique().tolist())} on {task}" for task, rows in first.groupby("task")]
    verb = "are" if len(first) > 1 else "is"
    return f"; the fastest {verb} {', '.join(told)}" if told else ""
