"""The order of architectures, by candidates and as they learn."""

from collections.abc import Mapping

import numpy as np

from learnability.report.findings import Finding, listed
from learnability.report.style import Tables
from studies.ground_truth.answers import TEXT, interval, words


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Whether candidates order architectures as N₅₀ does."""
    table = tables["contest"]
    every = {
        row["candidate"]: row for row in table[table["half"] == "all"].to_dict("records") if "start" in row["candidate"]
    }
    orders = listed(f"{words(name)} {row['order']:.2f}" for name, row in every.items())
    best = max(every, key=lambda name: np.nan_to_num(every[name]["order"], nan=-2))
    verdict = "In part" if every[best]["order_low"] > 0 else "Not reliably"
    text = f"; of the paper's sample complexity it is {every[TEXT]['order']:.2f}" if TEXT in every else ""
    intervals = [f"{interval(every[name], 'order')} for {words(name)}" for name in (best, TEXT) if name in every]
    return Finding(
        "Does any such quantity order architectures as they learn?",
        f"{verdict}. The best rank correlation with N₅₀ over architectures is {every[best]['order']:.2f}{text}.",
        f"""
            Numbers are at initialisation, means over grids and lags, over all settings that are learned from N = ∞:
            {orders}. 1 is the same order, -1 the reverse. Which one is best was seen after results were known. With
            95 % intervals: {listed(intervals)}.
        """,
        {},
        "the architectures: at most eight have a lag in common, so chance alone gives large correlations.",
        ("", "contest"),
    )
