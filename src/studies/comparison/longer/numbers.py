"""Scores at twice the steps, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: mean `score`, score at twice the steps, losses.

    `lead` is the one of the best cell over the next at twice the steps, by task.
    `halved` counts cells that lose more than half of their score, by task.
    """
    table = tables["longer"].assign(name=lambda rows: rows["architecture"].map(labels))
    means = table.groupby("name")[["score", "longer", "lost"]].mean()
    best = table.loc[table.groupby("contest")["longer"].idxmax()].set_index("contest")
    two_best = table.groupby("contest")["longer"].nlargest(2).groupby(level="contest")
    return {
        "lead": two_best.max() - two_best.min(),
        **{column: means[column] for column in ("score", "longer", "lost")},
        "tasks": table["contest"].nunique(),
        "halved": (table["longer"] < table["score"] / 2).groupby(table["contest"]).sum(),
        "best": best["name"],
        "by_task": table.groupby("contest")["lost"].median(),
        "by_family": table.groupby("family")["lost"].mean(),
    }
