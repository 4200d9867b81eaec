"""What a score costs."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, number
from learnability.report.style import Tables
from studies.comparison.costs.fronts import front


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
            By rising cost these are {listed(cheap["name"])}. {_always(always)} At equal parameters a gradient takes
            {number(table["multiply_adds"].min())} to {number(table["multiply_adds"].max())} multiply-adds a step, keeps
            {number(table["kept_bytes"].min())} to {number(table["kept_bytes"].max())} bytes, and states hold
            {number(table["state"].min())} to {number(table["state"].max())} numbers.
            {_scanned(table)}
        """,
        {},
        """
            which tasks the mean score is over. Costs are counted, not timed: multiply-adds are of matrix products, and
            leave out element-wise updates, which are most of what a state space such as S4D does.
        """,
        ("", ""),
    )


def _scanned(table: pd.DataFrame) -> str:
    """Cells that run a sequence by a scan, and what they score beside all others."""
    is_scanned = table["depth"] < table["depth"].max()
    if not is_scanned.any():
        return ""
    own, others = table[is_scanned], table[~is_scanned]
    return f"""{listed(own["name"])} can run a sequence by a parallel scan; their best mean score is
        {own["score"].max():.2f}, beside {others["score"].max():.2f} of all others."""


def _always(names: list[str]) -> str:
    return f"On the fronts of bytes and of state as well: {listed(names)}." if names else ""
