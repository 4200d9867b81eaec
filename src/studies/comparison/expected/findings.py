"""Which expectations held."""

from collections.abc import Mapping

from learnability.report.findings import Finding
from learnability.report.style import Tables


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Each expectation with its number."""
    table = tables["expectations"]
    told = " ".join(
        f"{row['statement']} Found {row['found']:.2f}: {row['holds']}."
        if row["holds"] != "not measured"
        else f"{row['statement']} Not measured."
        for row in table.to_dict("records")
    )
    measured = table[table["holds"] != "not measured"]
    return Finding(
        "Which expectations came true?",
        f"{(measured['holds'] == 'yes').sum()} of {len(measured)} did.",
        f"They were written before the races were run, with the number from which on each holds. {told}",
        {},
        "the bound of each, which is ours.",
        ("", "performance"),
    )
