"""How many states a trained network attends to."""

from collections.abc import Mapping

from learnability.report.findings import Finding, listed, spread
from learnability.report.style import Tables


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """How many states a trained network attends to."""
    table = tables["attended"].sort_values("measured", kind="stable")
    told = [
        f"{spread(rows['measured'])} for {labels[str(name)]} ({len(rows)} {'task' if len(rows) == 1 else 'tasks'})"
        for name, rows in table.groupby("architecture", sort=False)
    ]
    listing = f": over tasks and delays, {listed(told)}" if told else ""
    return Finding(
        "To how many states does a trained network attend?",
        f"""
            To {spread(table["measured"])} of up to {table["steps"].max():,} past states, depending on network and task.
        """
        if told
        else "None with attention was trained.",
        f"""
            The number is one over the sum of squared weights, at the median step of the second half of the
            sequence{listing}. The paper shows few relevant states in a network that attends to all states, and allows
            20 with relevancy screening.
        """,
        {},
        "the networks that have learned: attention that does not help may lie anywhere.",
        ("", "attention_maps"),
    )
