"""Accuracy of permuted pixels, for the page."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from learnability.report.style import Tables
from studies.attention.dense_tables import pairs_alike, trained_rows


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: accuracies with their ranges over seeds by model, and pairs ordered as in the paper.

    `apart` are pairs whose ranges over seeds do not overlap.
    """
    table = trained_rows(tables["pixels"], labels).set_index("model")
    alike, pairs = pairs_alike(table, "accuracy", "paper_accuracy")
    apart = [
        (first["accuracy"] - second["accuracy"]) * (first["paper_accuracy"] - second["paper_accuracy"])
        for first, second in combinations(table.to_dict("records"), 2)
        if first["lowest"] > second["highest"] or second["lowest"] > first["highest"]
    ]
    return {
        "seeds": table["seeds"].max(),
        "apart": len(apart),
        "apart_alike": sum(pair > 0 for pair in apart),
        **{name: table[name] for name in ("accuracy", "lowest", "highest")},
        "chance": table["majority"].iloc[0],
        "steps": table["steps"].iloc[0],
        "alike": alike,
        "pairs": pairs,
    }
