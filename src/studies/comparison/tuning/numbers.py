"""Worth of a search for a learning rate, for the page."""

from collections.abc import Mapping
from typing import Any

from scipy import stats

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: score `missing` at a rate drawn at random; `orders`, ρ of one rate and tuned ones.

    `validation` is the mean score of the best rate by which a rate is chosen, `fresh` the one of fresh seeds;
    `flattered` is the first less the second by task, averages over cells.
    """
    rates, first = tables["rates"], tables["performance"][lambda rows: rows["rank"] == 1]
    one_rate = tables["tuning"][tables["tuning"]["tried"] == 1]
    losses = one_rate.assign(name=lambda rows: rows["architecture"].map(labels)).groupby("name")["missing"].mean()
    best = rates.groupby(["contest", "architecture"])["score"].max().groupby("architecture").mean()
    at_rate = rates.pivot_table("score", "architecture", "rate").reindex(best.index)
    overall = tables["overall"].assign(name=lambda rows: rows["architecture"].map(labels)).set_index("name")
    return {
        "validation": best.rename(index=labels),
        "fresh": overall["score"],
        "flattered": rates[rates["chosen"]].groupby("contest")["score"].mean()
        - tables["performance"].groupby("contest")["score"].mean(),
        "best": first.set_index("contest")["architecture"].map(labels),
        "rates": rates["rate"].nunique(),
        "missing": losses.sort_values(),
        "by_family": one_rate.groupby("family")["missing"].mean(),
        "orders": at_rate.apply(lambda scores: stats.spearmanr(scores, best).statistic),
        "chosen": rates[rates["chosen"]].groupby("family")["rate"].median(),
    }
