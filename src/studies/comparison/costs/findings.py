"""What a score costs."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, spread
from learnability.report.style import Tables
from studies.comparison.costs.fronts import front

SMALL = 0.9
"""Share of the parameters of the largest cell, below which a cell counts as smaller."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Which cells are on the front of score and multiply-adds, and of score and state."""
    table = tables["costs"].assign(name=lambda rows: rows["architecture"].map(labels))
    fronts = {cost: table[front(table, cost)].sort_values(cost) for cost in ("multiply_adds", "kept_bytes", "state")}
    cheap = fronts["multiply_adds"]
    always = [name for name in cheap["name"] if all(name in set(rows["name"]) for rows in fronts.values())]
    return Finding(
        "What does a good score cost?",
        f"{len(cheap)} of {len(table)} cells are beaten by none that takes fewer multiply-adds.",
        f"""
            By rising cost these are {listed(cheap["name"])}. {_always(always)} {_smaller(table, cheap)}
            A gradient takes {spread(table["multiply_adds"])} multiply-adds a step and keeps
            {spread(table["kept_bytes"])} bytes; states hold {spread(table["state"])} numbers.
            {_scanned(table)}
        """,
        {},
        """
            what counts as a cost. Costs are counted, not timed: multiply-adds are of matrix products, and leave out
            element-wise updates, which are most of what a state space such as S4D does.
        """,
        ("", ""),
    )


def _smaller(table: pd.DataFrame, fronts: pd.DataFrame) -> str:
    """Cells of a front that have clearly fewer parameters than the largest, and so cost less."""
    largest = table["parameters"].max()
    rows = fronts[fronts["parameters"] < SMALL * largest]
    if rows.empty:
        return ""
    own = listed(f"{row['name']} has {row['parameters']:,.0f}" for row in rows.to_dict("records"))
    return f"""Parameters are not quite equal: {own}, the largest cell {largest:,.0f} (geometric means over tasks),
        because units are whole numbers, of some cells powers of two. Part of the low cost follows from that."""


def _scanned(table: pd.DataFrame) -> str:
    """Cells that run a sequence by a scan, and what they score beside all others."""
    is_scanned = table["depth"] < table["depth"].max()
    if not is_scanned.any():
        return ""
    own, others = table[is_scanned], table[~is_scanned]
    return f"""{listed(own["name"])} can run a sequence by a parallel scan; their best mean score is
        {own["score"].max():.2f}, compared with {others["score"].max():.2f} of all others."""


def _always(names: list[str]) -> str:
    return f"On the fronts of bytes and of state as well: {listed(names)}." if names else ""
