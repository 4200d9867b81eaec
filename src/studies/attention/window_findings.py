"""Whether attention widens what a network can learn, at one learning rate and at each network's best."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, number, percent, spread
from learnability.windows.noise import HEAVY
from studies.attention.trained_tables import in_words
from studies.attention.window_tables import WITH

Tables = Mapping[str, pd.DataFrame]
COUNTS = ["lags", "learned", "detected before", "same", "after", "learned at the start", "detected by chance"]
"""Columns of `attention_order` that are numbers of lags."""
MOSTLY = 0.75
"""Share of the lags that are learned from which most are said to be detected in time."""


def widening(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Learned shares, windows and noise scales with attention and without."""
    lags, reach, contrasts = (tables[f"attention_{name}"] for name in ("windows", "reach", "widens"))
    same, keeping = (contrasts[contrasts["kind"] == kind] for kind in ("same cell", "keeps its gradient"))
    more, less = _counts(same)
    at_start = (same["noise_high"] < 0).sum()
    told = [
        f"{row['share']:+.2f} ({row['share_low']:+.2f} to {row['share_high']:+.2f}) for {labels[row['with']]} beside "
        f"{labels[row['without']]} on {in_words(row['experiment'])}"
        for row in same.to_dict("records")
    ]
    start = lags[lags["epoch"] == 0]
    heavy = lags.groupby(["experiment", "architecture", "epoch"])[["heavy", "seeds"]].max()
    by_network = reach.assign(model=reach["architecture"].map(labels), task=reach["experiment"].map(in_words))
    windows = [
        f"on {task}: {_steps(rows, 'start')} before training, {_steps(rows, 'ever')} at some stored epoch, and half "
        f"learned are {_steps(rows, 'learned')}"
        for task, rows in by_network.groupby("task", sort=False)
    ]
    more_than_keeping, less_than_keeping = _counts(keeping)
    return Finding(
        "Does attention widen what a network can learn from N sequences?",
        f"""
            {_verdict(more, len(same))}: in {more} of {len(same)} comparisons with
            the same cell without it a network with attention learns more of the task from the same sequences, in {less}
            less; at the start the noise scale of the longest lag is smaller with attention in {at_start}.
        """,
        f"""
            Networks have {spread(reach["units"])} units ({spread(reach["parameters"])} parameters), and are trained on
            {spread(reach["trained_on"])} sequences; {spread(lags["sequences"])} others are measured. The share of the
            coefficients that is learned, with attention less without, is {listed(told) if told else "–"}. A lag is seen
            if N̂ is no more than the sequences that a network is trained on. The longest that is seen is
            {"; ".join(windows)}. N̂ is told where the tail index is at least {HEAVY}: it is {spread(lags["alpha"])},
            {spread(start["alpha"])} before training, and below in {heavy["heavy"].sum()} of {heavy["seeds"].sum()}
            measurements. With errors of another sequence {percent(reach["false"].max())} of measurements at most see a
            lag.
        """,
        {},
        f"""
            What attention is held against. Beside networks without attention whose recurrence is built to keep a
            gradient, those with attention learn more in {more_than_keeping} of {len(keeping)} comparisons, and less in
            {less_than_keeping}. The learning rate, for `attention.experiments.<id>.learning_rates` names others
            {"and each network is told of at its best below" if "attention_rates" in tables else "to try"}. How state
            and context are mixed (`mix`). What is not learned after so many updates may be later
            (`attention.experiments.<id>.training.epochs`), and equal units are not equal parameters.
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
    after = [
        f"{labels[row['architecture']]} on {in_words(row['experiment'])} ({row['after']})"
        for row in trained[trained["after"] > 0].to_dict("records")
    ]
    of_all = trained[COUNTS].sum()
    in_time = 1 - of_all["after"] / max(1, of_all["learned"])
    return Finding(
        "Is what is learned detected first, with attention as without?",
        f"""
            {"Never later" if in_time == 1 else "Mostly" if in_time >= MOSTLY else "In part"}: of {of_all["learned"]}
            lags of which a tenth is learned, over {trained["seeds"].sum()} networks, {of_all["detected before"]} were
            detected at an earlier stored epoch, {of_all["same"]} at the same one and {of_all["after"]} later or never.
        """
        if of_all["learned"]
        else "No lag is learned to a tenth.",
        f"""
            A lag is detected where N̂ is no more than the sequences that a network is trained on,
            {spread(trained["N"])}. {" ".join(told)} {f"Later or never: {listed(after)}." if after else ""}
            {f"Of these {of_all['learned at the start']} have that share before training." if after else ""}
            {_in_order(half[half["is_trained_on"]], "that are learned to a half")} Where it must be no more than the
            {spread(measured["N"])} sequences that are measured, these are other numbers.
            {_in_order(measured, "that are learned to a tenth")} With errors of another sequence, where there is nothing
            to detect, {of_all["detected by chance"]} of {of_all["lags"]} lags are detected at some stored epoch.
        """,
        {},
        """
            N, to which N̂ is extrapolated from the sequences that are measured. And the stored epochs, 0, 1, 2, 5, 10,
            20 and so on: what begins between two of them counts as the same.
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
    told = [
        f"{row['share']:+.2f} ({row['share_low']:+.2f} to {row['share_high']:+.2f}) for {labels[row['with']]} at "
        f"{row['rate']:g} beside {labels[row['without']]} at {row['rate_without']:g} on {in_words(row['experiment'])}"
        for row in same.to_dict("records")
    ]
    best = table[table["best"]]
    at_end = best["rate"].isin([rates[0], rates[-1]]).sum()
    diverged = [
        f"{labels[row['architecture']]} at {row['rate']:g} on {in_words(row['experiment'])} ({row['diverged']} of "
        f"{row['seeds']})"
        for row in table[table["diverged"] > 0].to_dict("records")
    ]
    of_model = best["share"].map("{:.2f} for ".format) + best["architecture"].map(labels)
    by_share = best.assign(told=of_model).sort_values("share", ascending=False, kind="stable")
    shares = [
        f"{listed(rows['told'])} on {in_words(str(experiment))}" for experiment, rows in by_share.groupby("experiment")
    ]
    return Finding(
        "Does attention help where each network is trained at the learning rate that suits it best?",
        f"""
            {_verdict(more, len(same))}: at the best of the learning rates {listed(f"{rate:g}" for rate in rates)} a
            network with attention explains more than the same cell without it in {more} of {len(same)} comparisons, and
            less in {less}.
        """,
        f"""
            Explained is a share of the variance of what is asked for without its noise, on validation sequences. At
            the best rate of each network, of those at which training diverged with no seed, it is
            {"; ".join(shares)}. Training diverged{", in so many seeds," if diverged else ""} of
            {listed(diverged) if diverged else "none"}. With attention less without it is
            {listed(told) if told else "–"}. Beside networks without attention whose recurrence is built to keep a
            gradient, those with attention explain more in {more_than_keeping} of {len(keeping)} comparisons, and less
            in {less_than_keeping}.
        """,
        {},
        f"""
            Rates beyond those that were tried: {at_end} of {len(best)} networks do best at the least or the largest of
            them. A rate is chosen by the very validation sequences that its share is told of, and by
            {spread(table["seeds"])} seeds. And how long networks are trained (`epochs`), which is as long at every
            rate.
        """,
        ("", "attention_rates"),
    )


def _verdict(more: int, comparisons: int) -> str:
    if not comparisons:
        return "Nothing is compared"
    return "No" if not more else "Yes" if more == comparisons else "In part"


def _counts(contrasts: pd.DataFrame) -> tuple[int, int]:
    """In how many comparisons more and less is learned, beyond the interval or the range over seeds."""
    return int((contrasts["share_low"] > 0).sum()), int((contrasts["share_high"] < 0).sum())


def _steps(rows: pd.DataFrame, name: str) -> str:
    """A lag of each network, networks of the same lag together."""
    by_lag = rows.dropna(subset=name).sort_values(name, kind="stable", ascending=False).groupby(name, sort=False)
    told = [f"{number(some[name].iloc[0])} steps ({listed(some['model'])})" for _, some in by_lag]
    return listed(told) if told else "–"


QUESTIONS = {
    widening: ["attention_windows", "attention_reach", "attention_widens"],
    detected_first: ["attention_training", "attention_order"],
    at_best_rates: ["attention_rates", "attention_best_rates"],
}
"""Each question, and the tables that answer it."""
