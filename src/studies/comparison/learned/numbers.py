"""Scores of cells by task, for the page."""

from collections.abc import Mapping
from typing import Any

from scipy import stats

from learnability.report.style import Tables

LINEAR_FORECAST = 0.46
"""Score of a linear regression on all earlier values of a sequence of the heartbeat; a test computes it."""
NEAR = 0.03
"""Share of the parameters that were asked for, within which sizes count as equal."""


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: mean scores by cell, the `best` cell of each task, and what may be unfair.

    `near` names cells besides the leader whose interval reaches its own; `fixed` has scores at counting of cells whose
    recurrence does not depend on the input.
    """
    table = tables["performance"].assign(name=lambda rows: rows["architecture"].map(labels))
    means = tables["overall"].assign(name=lambda rows: rows["architecture"].map(labels)).set_index("name")
    best = table[table["rank"] == 1].set_index("contest")
    rivals = table.merge(best["score_low"].rename("lowest"), left_on="contest", right_index=True)
    ties = rivals[rivals["score_high"] >= rivals["lowest"]].groupby("contest").size() - 1
    edges = table.groupby("contest")["edge"].sum()
    orders = [stats.spearmanr(rows["half"], rows["score"]).statistic for _, rows in table.groupby("contest")]
    leads = means["score"] == means["score"].max()
    counting = table[table["contest"] == "count"].set_index("name")["score"]
    reaches = means["score_high"] >= means.loc[leads, "score_low"].max()
    return {
        "near": means.index[reaches & ~leads],
        "fixed": counting.reindex(["LRU", "S4D", "LMU"]),
        "linear": LINEAR_FORECAST,
        "worst": means["worst"],
        **{column: means[column] for column in ("score", "score_low", "score_high")},
        "best": best,
        "tied": ties,
        "parameters": table["parameters"],
        "smaller": table.loc[table["parameters"] < (1 - NEAR) * table["parameters"].max(), "name"].nunique(),
        "smallest": table.sort_values("parameters")["name"].iloc[0],
        "seeds": table["seeds"].iloc[0],
        "diverged": table["diverged"].sum(),
        "races": len(table),
        "edges": edges,
        "orders": orders,
    }
