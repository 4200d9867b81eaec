"""Bits of the next character, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.attention.dense_tables import pairs_alike, trained_rows


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: bits and accuracy by model, and pairs of models ordered as in the paper."""
    table = trained_rows(tables["characters"], labels).set_index("model")
    alike, pairs = pairs_alike(table, "bits", "paper_bits")
    return {
        **{name: table[name] for name in ("bits", "accuracy")},
        "seeds": table["seeds"].max(),
        "single": table.index[table["seeds"] == 1].tolist(),
        "baseline": table["baseline_bits"].iloc[0],
        "commonest": table["majority"].iloc[0],
        "alike": alike,
        "pairs": pairs,
    }
