"""Whether attention widens what a network can learn, at one learning rate and at each network's best."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, percent, spread
from learnability.windows.noise import HEAVY
from studies.attention.trained_tables import in_words
from studies.attention.window_tables import WITH

Tables = Mapping[str, pd.DataFrame]
COUNTS = ["lags", "learned", "detected before", "same", "after", "learned at the start", "detected by chance"]
"""Columns of `attention_order` that are numbers of lags."""
STARTS = ["delayed_sum", "delayed_sum_authors_starts"]
"""One task from two starts of the weights."""
MOSTLY = 0.75
"""Share of the lags that are learned from which most are said to be detected in time."""


def widening(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Learned shares, windows and noise scales with attention and without."""
    lags, reach, contrasts = (tables[f"attention_{name}"] for name in ("windows", "reach", "widens"))
    same, keeping = (contrasts[contrasts["kind"] == kind] for kind in ("same cell", "keeps its gradient"))
    more, less = _counts(same)
    at_start = (same["noise_high"] < 0).sum()
    told = _compared(same, labels)
    start = lags[lags["epoch"] == 0]
    heavy = lags.groupby(["experiment", "architecture", "epoch"])[["heavy", "seeds"]].max()
    windows = [
        f"{_steps(rows['start'])} before training, {_steps(rows['ever'])} at some stored epoch, and "
        f"{_steps(rows['learned'])} half learned on {in_words(str(name))}"
        for name, rows in reach.groupby("experiment", sort=False)
    ]
    more_than_keeping, less_than_keeping = _counts(keeping)
    return Finding(
        "Does attention widen what a network can learn from N sequences?",
        f"""
            {_verdict(more, len(same))}. With attention the same cell learns more in {more} of {len(same)} comparisons,
            and less in {less}.
        """,
        f"""
            Networks have {spread(reach["units"])} units ({spread(reach["parameters"])} parameters) and are trained on
            {spread(reach["trained_on"])} sequences; {spread(lags["sequences"])} other sequences are measured. {told}
            The noise scale of the longest lag is smaller with attention in {at_start} of {len(same)} comparisons,
            before training. A lag is detectable if N̂ is at most the number of training sequences. The longest
            detectable lag, in steps over networks, is {"; ".join(windows)}. N̂ is given where the tail index is at
            least {HEAVY}: the index is {spread(lags["alpha"])} ({spread(start["alpha"])} before training), and lower in
            {heavy["heavy"].sum()} of {heavy["seeds"].sum()} measurements. With the errors of another sequence, where
            there is nothing to detect, at most {percent(reach["false"].max())} of measurements detect a lag.
        """,
        {},
        f"""
            the networks without attention. Compared with recurrences that are built to keep a gradient, attention
            learns more in {more_than_keeping} of {len(keeping)} comparisons, and less in {less_than_keeping}. Further:
            the learning rate ({"see the best rates below" if "attention_rates" in tables else "`learning_rates`"}), how
            state and context are mixed (`mix`), the number of updates (`epochs`), and that equal units are not
            equal parameters.
        """,
        ("", "attention_windows"),
    )


def detected_first(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Whether lags are detected before they are learned, with attention and without."""
    order = tables["attention_order"]
    least = order[order["share"] == order["share"].min()]
    half = order[order["share"] == order["share"].max()]
    trained, measured = least[least["is_trained_on"]], least[~least["is_trained_on"]]
    with_attention = trained["architecture"].isin(WITH)
    groups = {"with attention": trained[with_attention], "without": trained[~with_attention]}
    told = [_in_order(rows, f"that networks {name} learn to a tenth") for name, rows in groups.items() if len(rows)]
    of_all = trained[COUNTS].sum()
    in_time = 1 - of_all["after"] / max(1, of_all["learned"])
    return Finding(
        "Are lags detected before they are learned, with attention as without?",
        f"""
            {"Always" if in_time == 1 else "Mostly" if in_time >= MOSTLY else "In part"}.
            {of_all["learned"] - of_all["after"]} of {of_all["learned"]} learned lags are detected no later than they
            are learned.
        """
        if of_all["learned"]
        else "No lag is learned to a tenth.",
        f"""
            {trained["seeds"].sum()} networks are compared at their stored epochs. A lag is detected if N̂ is at most
            the number of training sequences, {spread(trained["N"])}; it is learned if a tenth of its coefficient is.
            {" ".join(told)} Of the lags that were detected later or never, {of_all["learned at the start"]} have that
            share before training. {_in_order(half[half["is_trained_on"]], "that are learned to a half")} The same with
            N̂ at most the {spread(measured["N"])} measured sequences:
            {_in_order(measured, "that are learned to a tenth")} With the errors of another sequence, where there is
            nothing to detect, {of_all["detected by chance"]} of {of_all["lags"]} lags are detected at some epoch.
        """,
        {},
        """
            N, to which N̂ is extrapolated from the measured sequences; and the stored epochs (0, 1, 2, 5, 10, 20 and so
            on), because changes between two of them count as simultaneous.
        """,
        ("", "attention_training"),
    )


def _in_order(rows: pd.DataFrame, learned: str) -> str:
    counts = rows[COUNTS].sum()
    return f"""
        Of {counts["learned"]} lags {learned}, {counts["detected before"]} were detected before, {counts["same"]} at the
        same epoch and {counts["after"]} later or never.
    """


def at_best_rates(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """What networks with attention explain less those without, each at the learning rate that suits it best."""
    table, contrasts = tables["attention_rates"], tables["attention_best_rates"]
    same, keeping = (contrasts[contrasts["kind"] == kind] for kind in ("same cell", "keeps its gradient"))
    more, less = _counts(same)
    more_than_keeping, less_than_keeping = _counts(keeping)
    rates = sorted(table["rate"].unique())
    told = _compared(same, labels)
    best = table[table["best"]]
    at_end = best["rate"].isin([rates[0], rates[-1]]).sum()
    by_share = best.assign(model=best["architecture"].map(labels)).sort_values("share", kind="stable")
    shares = [
        f"from {rows['share'].iloc[0]:.2f} ({rows['model'].iloc[0]}) to {rows['share'].iloc[-1]:.2f}"
        f" ({rows['model'].iloc[-1]}) on {in_words(str(experiment))}"
        for experiment, rows in by_share.groupby("experiment")
    ]
    chance = 2.0 ** -same["seeds"].max() if len(same) else 0  # that all seeds agree on more without any difference
    verdict = "No more than by chance" if 0 < more <= chance * len(same) else _verdict(more, len(same))
    by_experiment = [
        f"{more_there} of {len(rows)} and less in {less_there} on {in_words(str(experiment))}"
        for experiment, rows in same.groupby("experiment", sort=False)
        for more_there, less_there in [_counts(rows)]
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


def _verdict(more: int, comparisons: int) -> str:
    if not comparisons:
        return "Nothing is compared"
    return "No" if not more else "Yes" if more == comparisons else "In part"


def _counts(contrasts: pd.DataFrame) -> tuple[int, int]:
    """In how many comparisons more and less is learned, beyond the interval or the range over seeds."""
    return int((contrasts["share_low"] > 0).sum()), int((contrasts["share_high"] < 0).sum())


def _steps(lags: "pd.Series[float]") -> str:
    return spread(lags.dropna()) if lags.notna().any() else "none"


def _compared(same: pd.DataFrame, labels: Mapping[str, str]) -> str:
    """The least and the largest difference of shares between a cell with attention and without, with their ranges."""
    if same.empty:
        return ""
    ends = [same.iloc[int(place)] for place in (same["share"].argmin(), same["share"].argmax())]
    least, most = (
        f"{row['share']:+.2f} ({row['share_low']:+.2f} to {row['share_high']:+.2f}; {labels[row['with']]} and "
        f"{labels[row['without']]} on {in_words(row['experiment'])})"
        for row in ends
    )
    return f"The difference of shares, with attention minus without, ranges from {least} to {most}."


QUESTIONS = {
    widening: ["attention_windows", "attention_reach", "attention_widens"],
    detected_first: ["attention_training", "attention_order"],
    at_best_rates: ["attention_rates", "attention_best_rates"],
}
"""Each question, and the tables that answer it."""
