"""Memory capacities and scores, for the page."""

from collections.abc import Mapping
from typing import Any

from scipy import stats

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: capacities in steps by cell, and Spearman's ρ of capacity and score.

    `at_recall` is the correlation of capacity before training with scores at associative recall, with its interval.
    """
    correlations = tables["foretold"].set_index(["number", "contest"])
    table = tables["memory"].assign(name=lambda rows: rows["architecture"].map(labels)).set_index("name")
    before, after = (stats.spearmanr(table[f"capacity_{end}"], table["score"]).statistic for end in ("start", "end"))
    return {
        "at_recall": correlations.loc["capacity", "recall"],
        "before": before,
        "after": after,
        "end": table["capacity_end"],
        "gain": table["capacity_end"] - table["capacity_start"],
        "by_number": table["by_number"],
        "state": table["state"],
        "score": table["score"],
    }
