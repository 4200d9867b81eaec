"""Worth of a search for a learning rate, for the page."""

from collections.abc import Mapping
from typing import Any

from scipy import stats

from learnability.report.style import Tables

LOSSES = {"slow GRU": 0.23, "expRNN": 0.10, "DiagGate": 0.26}
"""Losses at a rate drawn at random where one of the two seeds chooses a rate and the other is scored, averages over the
two; DiagGate's is the largest. A test computes them."""
DROPS = {"digits": 0.03, "selective": 0.06}
"""Validation scores of the best rate by both seeds less scores of the seed that did not choose; a test computes
them."""


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: score `missing` at a rate drawn at random; `orders`, ρ of one rate and tuned ones.

    `fresh` is the mean score of fresh seeds; `flattered` the one by which a rate is chosen less that of fresh seeds by
    task, averages over cells. `most_without` has the cell that loses most by the task that is left out, and `inner` the
    losses without the rates at the ends.
    """
    rates = tables["rates"]
    one_rate = tables["tuning"][tables["tuning"]["tried"] == 1]
    losses = one_rate.assign(name=lambda rows: rows["architecture"].map(labels)).groupby("name")["missing"].mean()
    best = rates.groupby(["contest", "architecture"])["score"].max().groupby("architecture").mean()
    at_rate = rates.pivot_table("score", "architecture", "rate").reindex(best.index)
    overall = tables["overall"].assign(name=lambda rows: rows["architecture"].map(labels)).set_index("name")
    losses_of_tasks = one_rate.pivot(index="architecture", columns="contest", values="missing").rename(index=labels)
    inner = rates[~rates["rate"].isin([rates["rate"].min(), rates["rate"].max()])]
    of_inner = inner.groupby(["contest", "architecture"])["score"].agg(["max", "mean"])
    return {
        "most_without": {task: losses_of_tasks.drop(columns=task).mean(axis=1).idxmax() for task in losses_of_tasks},
        "inner": (of_inner["max"] - of_inner["mean"]).groupby("architecture").mean().rename(index=labels),
        "judged_by_another": LOSSES,
        "drops": DROPS,
        "fresh": overall["score"],
        "flattered": rates[rates["chosen"]].groupby("contest")["score"].mean()
        - tables["performance"].groupby("contest")["score"].mean(),
        "missing": losses.sort_values(),
        "by_family": one_rate.groupby("family")["missing"].mean(),
        "orders": at_rate.apply(lambda scores: stats.spearmanr(scores, best).statistic),
        "chosen": rates[rates["chosen"]].groupby("family")["rate"].median(),
        "of_recurrences": rates[rates["chosen"] & (rates["family"] == "recurrences")]["rate"],
        "tried": rates["rate"],
    }
