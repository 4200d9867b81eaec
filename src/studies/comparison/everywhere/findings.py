"""How far one order of cells holds over tasks."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import pandas as pd

from learnability.report.findings import Finding, listed
from learnability.report.style import Tables
from studies.comparison.tasks import words

TOP = 0.25
"""Share of the cells that counts as the top."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Which cells are near the top at every task, and how orders of tasks agree."""
    table, cells = tables["performance"], tables["overall"]
    scores = {str(name): rows.set_index("architecture")["score"] for name, rows in table.groupby("contest", sort=False)}
    pairs = {(one, other): scores[one].corr(scores[other], "spearman") for one, other in combinations(scores, 2)}
    top = max(1, round(TOP * len(cells)))
    steady = cells[cells["worst"] <= top].sort_values("worst", kind="stable")
    uneven = cells.assign(range=cells["worst"] - cells["best"]).sort_values("range", ascending=False, kind="stable")
    first = cells.sort_values("rank", kind="stable").iloc[0]
    least, most = min(pairs, key=lambda pair: pairs[pair]), max(pairs, key=lambda pair: pairs[pair])
    return Finding(
        "Is any cell good at everything?",
        f"""{"Hardly" if len(steady) else "None"}. On average {labels[first["architecture"]]} ranks best, yet its worst
            rank is {first["worst"]} of {len(cells)}.""",
        f"""
            {_steady(steady["architecture"].map(labels).tolist(), top)} Orders of cells at two tasks agree with
            Spearman's ρ from {pairs[least]:.2f} ({words(least[0])} and {words(least[1])}) to {pairs[most]:.2f}
            ({words(most[0])} and {words(most[1])}). The most uneven cell is {labels[uneven.iloc[0]["architecture"]]},
            with ranks from {uneven.iloc[0]["best"]} to {uneven.iloc[0]["worst"]}. {_two(first, cells.iloc[0], labels)}
        """,
        {},
        "which cells are compared: a rank is among these alone.",
        ("", ""),
    )


def _two(ranked: "pd.Series[Any]", scored: "pd.Series[Any]", labels: Mapping[str, str]) -> str:
    """How the best mean rank and the highest mean score go together."""
    name, other = (labels[each["architecture"]] for each in (ranked, scored))
    if name == other:
        return f"It also has the highest mean score, {scored['score']:.2f}."
    return f"""The best mean rank is {ranked["rank"]:g}, of {name} with a mean score of {ranked["score"]:.2f}; the
        highest mean score is {scored["score"]:.2f}, of {other} with a mean rank of {scored["rank"]:g} and a worst one
        of {scored["worst"]}."""


def _steady(names: list[str], top: int) -> str:
    if not names:
        return f"No cell is among the first {top} at every task."
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'} among the first {top} at every task."
