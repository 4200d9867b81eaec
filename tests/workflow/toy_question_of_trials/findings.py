"""Longest lags that are learned; every number is one of a table."""

from collections.abc import Mapping

from learnability.report.findings import Finding
from learnability.report.style import Tables
from studies.ground_truth.contest import MOST_SEEDS


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """The longest lag of all."""
    table = tables["half_learned"]
    longest = table.loc[table["learned"] >= MOST_SEEDS, "lag"].max()
    return Finding(
        "How long are the lags that are learned?",
        f"At most {longest} steps.",
        "It is the longest that half of the seeds learn.",
        {},
        "the lags that were tried.",
        ("", "reach"),
    )
