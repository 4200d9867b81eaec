"""Bits of the next character, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.attention.dense_tables import pairs_alike, trained_rows


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: bits and learning rate by model, and pairs of models ordered as in the paper.

    `by_rate` tells whether no network has fewer bits than one with a higher rate.
    """
    table = trained_rows(tables["characters"], labels).set_index("model")
    rates = tables["hyperparameters"].query("task == 'characters'")
    rate = rates.assign(model=rates["architecture"].map(labels)).set_index("model")["learning_rate"]
    alike, pairs = pairs_alike(table, "bits", "paper_bits")
    return {
        "bits": table["bits"],
        "seeds": table["seeds"].max(),
        "single": table.index[table["seeds"] == 1].tolist(),
        "baseline": table["baseline_bits"].iloc[0],
        "alike": alike,
        "pairs": pairs,
        "rate": rate,
        "by_rate": rate[table["bits"].sort_values().index].is_monotonic_decreasing,
    }
