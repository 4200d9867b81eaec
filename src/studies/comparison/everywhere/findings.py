"""How far one order of cells holds over tasks."""

from collections.abc import Mapping
from itertools import combinations

from learnability.report.findings import Finding, listed
from learnability.report.style import Tables
from studies.comparison.drawn import words

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
        f"{labels[first['architecture']]} ranks best on average; its worst rank is {first['worst']} of {len(cells)}.",
        f"""
            {_steady(steady["architecture"].map(labels).tolist(), top)} Orders of cells at two tasks agree with
            Spearman's ρ from {pairs[least]:.2f} ({words(least[0])} and {words(least[1])}) to {pairs[most]:.2f}
            ({words(most[0])} and {words(most[1])}). The most uneven cell is {labels[uneven.iloc[0]["architecture"]]},
            with ranks from {uneven.iloc[0]["best"]} to {uneven.iloc[0]["worst"]}.
        """,
        {},
        "which tasks are asked: a mean rank is over these alone.",
        ("", ""),
    )


def _steady(names: list[str], top: int) -> str:
    if not names:
        return f"No cell is among the first {top} at every task."
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'} among the first {top} at every task."
