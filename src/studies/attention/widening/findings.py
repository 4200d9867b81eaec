"""Learned shares, windows and noise scales with attention and without."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, percent, spread
from learnability.report.style import Tables
from learnability.windows.noise import HEAVY
from studies.attention.comparisons import more_and_less, range_of_differences, verdict_on
from studies.attention.trained_tables import in_words


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Learned shares, windows and noise scales with attention and without."""
    lags, reach, contrasts = (tables[f"attention_{name}"] for name in ("windows", "reach", "widens"))
    same, keeping = (contrasts[contrasts["kind"] == kind] for kind in ("same cell", "keeps its gradient"))
    more, less = more_and_less(same)
    at_start = (same["noise_high"] < 0).sum()
    told = range_of_differences(same, labels)
    start = lags[lags["epoch"] == 0]
    heavy = lags.groupby(["experiment", "architecture", "epoch"])[["heavy", "seeds"]].max()
    windows = [
        f"{_steps(rows['start'])} before training, {_steps(rows['ever'])} at some stored epoch, and "
        f"{_steps(rows['learned'])} half learned on {in_words(str(name))}"
        for name, rows in reach.groupby("experiment", sort=False)
    ]
    more_than_keeping, less_than_keeping = more_and_less(keeping)
    return Finding(
        "Does attention widen what a network can learn from N sequences?",
        f"""
            {verdict_on(more, len(same))}. With attention the same cell learns more in {more} of {len(same)}
            comparisons, and less in {less}.
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


def _steps(lags: "pd.Series[float]") -> str:
    return spread(lags.dropna()) if lags.notna().any() else "none"
