"""Shares of n that networks tell right beyond those of training, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.gated.counting.measure import LIMIT


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`.

    Returns:
        Of architectures `shares`, the share of longer n that are right, by seed, and `medians` over seeds; `up_to`, by
        seed the n up to which all are right, and the largest such n `at_any_rate`; `trained_right`, the least share of
        trained n that are right. `rates` are the learning rates that were tried, and `at_edge` counts best ones that
        are the smallest or the largest.
    """
    runs, right = tables["counting_runs"], tables["counting_lengths"]
    best = runs[runs["chosen"]]
    longest = int(runs["trained_up_to"].iloc[0])
    beyond = right[(right["n"] > longest) & (right["n"] <= LIMIT * longest)]
    shares = beyond.groupby(["seed", "architecture"])["right"].mean().unstack()
    return {
        "longest": longest,
        "tested": int(right["n"].max()),
        "limit": int(LIMIT * longest),
        "shares": shares,
        "medians": shares.median(),
        "up_to": best.pivot(index="seed", columns="architecture", values="right_up_to"),
        "at_any_rate": runs.groupby("architecture")["right_up_to"].max(),
        "trained_right": float(best["trained_right"].min()),
        "parameters": best["parameters"],
        "rates": runs["rate"].unique(),
        "chosen": len(best),
        "at_edge": int(best["rate"].isin([runs["rate"].min(), runs["rate"].max()]).sum()),
    }
