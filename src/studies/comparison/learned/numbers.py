"""Scores of cells by task, for the page."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from scipy import stats

from learnability.report.style import Tables

LINEAR_FORECAST, LINEAR_COUNT = 0.46, 0.32
"""Scores of a linear filter of all earlier values of the heartbeat, and of a linear regression on all inputs at
counting, rounded; a test computes them."""
NEAR = 0.03
"""Share of the parameters that were asked for, within which sizes count as equal."""


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: mean scores by cell, the `best` cell of each task, and what may be unfair.

    `near` names cells besides the leader whose interval reaches its own, `rivals` does so by task. `fixed` has scores
    at counting of linear cells whose recurrence does not depend on the input, `ungated` of others without a gate that
    does; `spread` is the standard deviation over cells by task. Mean scores are `with_second` with the second delayed
    sum, `search` of the seeds that chose rates, `halfway` after half of the updates.
    """
    table = tables["performance"].assign(name=lambda rows: rows["architecture"].map(labels))
    means = tables["overall"].assign(name=lambda rows: rows["architecture"].map(labels)).set_index("name")
    best = table[table["rank"] == 1].set_index("contest")
    rivals = table.merge(best["score_low"].rename("lowest"), left_on="contest", right_index=True)
    level = rivals[rivals["score_high"] >= rivals["lowest"]].groupby("contest")["name"]
    edges = table.groupby("contest")["edge"].sum()
    orders = [stats.spearmanr(rows["half"], rows["score"]).statistic for _, rows in table.groupby("contest")]
    leads = means["score"] == means["score"].max()
    scores = table.set_index(["contest", "name"])["score"].sort_index()
    count_scores = scores.loc["count"]
    reaches = means["score_high"] >= means.loc[leads, "score_low"].max()
    rates, second = tables["rates"][lambda rows: rows["chosen"]], tables["divisor"].set_index("architecture")
    with_second = pd.concat([table.set_index("architecture")["score"], second["score_divisor"]])
    return {
        "near": means.index[reaches & ~leads],
        "rivals": level.agg(list),
        "at": lambda contest, name: scores[contest, name],
        "at_count": table[table["contest"] == "count"].set_index("name"),
        "spread": table.groupby("contest")["score"].std(),
        "fixed": count_scores.reindex(["LRU", "S4D", "LMU"]),
        "ungated": count_scores.reindex(["RNN", "expRNN", "ConstGate"]),
        "linear": LINEAR_FORECAST,
        "linear_count": LINEAR_COUNT,
        "heart": {
            "test": table.loc[table["contest"] == "heart", "score"].mean(),
            "validation": rates.loc[rates["contest"] == "heart", "score"].mean(),
        },
        "search": rates.groupby("architecture")["score"].mean().rename(index=labels),
        "with_second": with_second.groupby(level=0).mean().rename(index=labels),
        "without_recall": table[table["contest"] != "recall"].groupby("name")["score"].mean(),
        "halfway": table.groupby("name")["half"].mean(),
        "goru": table[table["name"] == "GORU"]["parameters"],
        "leader_edges": sorted(table[table["edge"] & (table["name"] == means.index[0])]["contest"]),
        **{column: means[column] for column in ("score", "score_low", "score_high")},
        "best": best,
        "tied": level.size() - 1,
        "parameters": table["parameters"],
        "smaller": table.loc[table["parameters"] < (1 - NEAR) * table["parameters"].max(), "name"].nunique(),
        "smallest": table.sort_values("parameters")["name"].iloc[0],
        "seeds": table["seeds"].iloc[0],
        "diverged": table["diverged"].sum(),
        "races": len(table),
        "edges": edges,
        "orders": orders,
    }
