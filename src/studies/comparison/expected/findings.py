"""Which expectations held."""

from collections.abc import Mapping

from learnability.report.findings import Finding, in_words
from learnability.report.style import Tables

BARELY = 0.02
"""A lead that is smaller counts as a bare one."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """How many expectations came true, and how barely."""
    table = tables["expectations"]
    measured = table[table["verdict"] != "not measured"]
    true = measured[measured["verdict"] == "yes"]
    leads = (true["measured"] - true["needed"])[lambda each: each < BARELY]
    count, bare, all_of_them = (in_words(len(each)) for each in (true, leads, measured))
    barely = f", {bare} by a lead of {leads.max():.2f}" if len(leads) else ""
    told = " ".join(
        f"{row['statement'].rstrip('.')} ({row['quantity']} {row['measured']:.2f}, needed {row['needed']:.2f})."
        for row in true.to_dict("records")
    )
    return Finding(
        "Which expectations came true?",
        f"{count.capitalize()} of {all_of_them} came true{barely}.",
        f"""
            They were written before the races were run, in `src/studies/comparison/expectations.py`, each with the
            number that it needs. These came true. {told} A lead is over the best cell, or the mean, of all others.
        """,
        {},
        "the number that each needs, which is ours.",
        ("", ""),
    )
