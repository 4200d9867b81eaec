"""What networks with attention explain less those without, each at the learning rate that suits it best."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, spread
from learnability.report.style import Tables
from studies.attention.comparisons import more_and_less, range_of_differences, verdict_on
from studies.attention.trained_tables import in_words

STARTS = ["delayed_sum", "delayed_sum_authors_starts"]
"""One task from two starts of the weights."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """What networks with attention explain less those without, each at the learning rate that suits it best."""
    table, contrasts = tables["attention_rates"], tables["attention_best_rates"]
    same, keeping = (contrasts[contrasts["kind"] == kind] for kind in ("same cell", "keeps its gradient"))
    more, less = more_and_less(same)
    more_than_keeping, less_than_keeping = more_and_less(keeping)
    rates = sorted(table["rate"].unique())
    told = range_of_differences(same, labels)
    best = table[table["best"]]
    at_end = best["rate"].isin([rates[0], rates[-1]]).sum()
    by_share = best.assign(model=best["architecture"].map(labels)).sort_values("share", kind="stable")
    shares = [
        f"from {rows['share'].iloc[0]:.2f} ({rows['model'].iloc[0]}) to {rows['share'].iloc[-1]:.2f}"
        f" ({rows['model'].iloc[-1]}) on {in_words(str(experiment))}"
        for experiment, rows in by_share.groupby("experiment")
    ]
    chance = 2.0 ** -same["seeds"].max() if len(same) else 0  # that all seeds agree on more without any difference
    verdict = "No more than by chance" if 0 < more <= chance * len(same) else verdict_on(more, len(same))
    by_experiment = [
        f"{more_there} of {len(rows)} and less in {less_there} on {in_words(str(experiment))}"
        for experiment, rows in same.groupby("experiment", sort=False)
        for more_there, less_there in [more_and_less(rows)]
    ]
    return Finding(
        "Does attention help if each network is trained at its best learning rate?",
        f"""
            {verdict}. At best rates attention explains more in {more} of {len(same)} comparisons, and less in {less}.
        """,
        f"""
            The rates are {listed(f"{rate:g}" for rate in rates)}. The explained variance is a share of the variance of
            the targets without noise, on validation sequences. At the best rate of each network it ranges
            {"; ".join(shares)}. Training diverged in {table["diverged"].sum()} of {table["seeds"].sum()} trainings; a
            rate at which any seed diverged is not chosen. {_rule(same, chance)} {told}
            {f"Attention explains more in {'; '.join(by_experiment)}." if by_experiment else ""}
            {_from_better_starts(best, same, labels)} Compared with
            recurrences without attention that are built to keep a gradient, attention explains more in
            {more_than_keeping} of {len(keeping)} comparisons, and less in {less_than_keeping}.
        """,
        {},
        f"""
            units, which are equal, and not parameters; rates outside the grid ({at_end} of {len(best)} networks are
            best at its ends), and the number of updates (`epochs`), which is the same at every rate. The rate is chosen
            by the validation sequences that the explained variance is of, and by {spread(table["seeds"])} seeds.
        """,
        ("", "attention_rates"),
    )


def _rule(same: pd.DataFrame, chance: float) -> str:
    """Which comparisons count, and how many would by chance."""
    if same.empty:
        return ""
    return f"""A comparison counts as more or less only if all {spread(same["seeds"])} seeds agree. Without any
        difference 1 in {1 / chance:.0f} would count as more by chance."""


def _from_better_starts(best: pd.DataFrame, same: pd.DataFrame, labels: Mapping[str, str]) -> str:
    """Shares with attention and without, of each cell from the start that suits it best; nothing with one start."""
    rows = best[best["experiment"].isin(STARTS)]
    if rows["experiment"].nunique() < len(STARTS):
        return ""
    share = rows.groupby("architecture")["share"].max()
    told = [
        f"{share[attends]:.2f} for {labels[attends]} and {share[base]:.2f} for {labels[base]}"
        for attends, base in dict.fromkeys(zip(same["with"], same["without"], strict=True))
    ]
    return f"From the better of two starts, ours and that of public code, the shares are {'; '.join(told)}."
