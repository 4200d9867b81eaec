"""Which lags are learned, and whether a gradient said so before."""

from collections.abc import Mapping

import numpy as np

from learnability.report.findings import Finding, listed, percent
from learnability.report.style import Tables

HALF = 0.5
"""Share of the coefficient from which a lag counts as learned."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """The cells that learn the longest lag, and how often N̂ before training within the data says so."""
    table = tables["lags"].assign(learned=lambda rows: rows["share_end"] >= HALF)
    longest = table[table["lag"] == table["lag"].max()].sort_values("share_end", ascending=False, kind="stable")
    told = longest[longest["learned"]]
    quoted = table.dropna(subset=["needed_start"])
    seen = quoted["needed_start"] <= np.log10(quoted["trained_on"])
    right = (seen == quoted["learned"]).mean()
    always = max(quoted["learned"].mean(), 1 - quoted["learned"].mean())
    missed = quoted[~seen & quoted["learned"]]
    return Finding(
        "Which lags does each cell learn?",
        f"{len(told)} of {len(longest)} cells learn the longest lag, {longest['lag'].iloc[0]:g} steps.",
        f"""
            {_learners(told["architecture"].map(labels).tolist())} A lag is learned if the response at it is at least
            half of its coefficient. That N̂ before training is at most the {table["trained_on"].iloc[0]:,} training
            sequences
            says so rightly of {percent(right)} of {len(quoted)} pairs of a cell and a lag; the commoner answer alone
            would be right of {percent(always)}. Of pairs whose gradient would not stand out by N̂, {len(missed)} of
            {(~seen).sum()} are learned.
        """,
        {},
        "the training: N̂ is before the first update, and gradients change with the first of them.",
        ("", ""),
    )


def _learners(names: list[str]) -> str:
    return f"They are {listed(names)}." if names else ""
