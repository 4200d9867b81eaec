"""What numbers before training tell of scores."""

from collections.abc import Mapping

from learnability.report.findings import Finding, listed
from learnability.report.style import Tables
from studies.comparison.foretold.figure import NUMBERS
from studies.comparison.tasks import words


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """How each number orders cells at its own task and at others."""
    table = tables["foretold"]
    own = table[table["source"] == table["contest"]].sort_values("correlation", ascending=False, kind="stable")
    others = table[table["source"] != table["contest"]]
    best = own.iloc[0]
    surely = others[others["correlation_low"] > 0]
    told = [
        f"{NUMBERS[row['number']]} ρ = {row['correlation']:.2f} ({row['correlation_low']:.2f} to "
        f"{row['correlation_high']:.2f})"
        for row in own.to_dict("records")
    ]
    elsewhere = [
        f"{NUMBERS[row['number']]} at {words(row['contest'])} ({row['correlation']:.2f})"
        for row in surely.to_dict("records")
    ]
    return Finding(
        "Does anything before training tell which cell will learn?",
        f"At its own task the {NUMBERS[best['number']]} does best, Spearman's ρ = {best['correlation']:.2f}.",
        f"""
            The numbers are of the delayed sum, at its longest lag. They give {listed(told)}. ρ is over cells, with
            95 % intervals that resample cells; 1 is as the number promises. At other tasks
            {f"the interval is above 0 for {listed(elsewhere)}" if elsewhere else "no interval is above 0"}, of
            {len(others)} pairs of a number and a task.
        """,
        {},
        "which cells are compared: many of one kind make an order that is theirs.",
        ("", ""),
    )
