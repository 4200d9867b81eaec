"""Learned shares of networks, each at its best learning rate, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.attention.comparisons import more_and_less
from studies.attention.window_tables import KEEPS, SAME_CELL

STARTS = ["delayed_sum", "delayed_sum_authors_starts"]
"""Experiments on the same task from two starts of the weights."""


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: comparisons at best rates, and the best `share` of each network over two starts."""
    table, contrasts = tables["attention_rates"], tables["attention_best_rates"]
    contrasts = contrasts.assign(model=lambda rows: rows["with"].map(labels))
    same_cell, keepers = (contrasts[contrasts["kind"] == kind] for kind in (SAME_CELL, KEEPS))
    best = table[table["best"]].assign(model=lambda rows: rows["architecture"].map(labels))
    rates = sorted(table["rate"].unique())
    return {
        "same": same_cell,
        "difference": same_cell.set_index(["experiment", "model"])["share"],
        "more_and_less": more_and_less(same_cell),
        "keeping": keepers,
        "keeping_more_and_less": more_and_less(keepers),
        "share": best[best["experiment"].isin(STARTS)].groupby("model")["share"].max(),
        "rates": rates,
        "at_end": best["rate"].isin([rates[0], rates[-1]]).sum(),
        "networks": len(best),
        "seeds": same_cell["seeds"].max(),
        "diverged": table["diverged"].sum(),
        "trainings": table["seeds"].sum(),
    }
