"""Agents that balance a pole, beside published ones."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.report.findings import Finding, listed
from learnability.report.style import Tables
from studies.attention.answers import NO_SEARCH
from studies.attention.games.cart_pole import LENGTHS, PUBLISHED


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Agents that balance a pole, beside published ones."""
    names = {PUBLISHED: "published", **labels}
    table = tables["cart_pole"].assign(name=lambda rows: rows["architecture"].map(names))
    published, *own = table.dropna(subset="length").to_dict("records")
    ends = [
        f"{row['length']:.0f} ({row['length_low']:.0f} to {row['length_high']:.0f}; {row['runs']} agents,"
        f" {row['name']}, {row['frames']:,} frames)"
        for row in (*own, published)
    ]
    first, last = (
        listed([f"{_reached(row, length)} ({row['name']})" for row in (published, *own)]) for length in LENGTHS
    )
    answer = "No agent was trained here for as long as an episode."
    if own:
        best = max(own, key=lambda row: row["length"])
        answer = f"""
            {"Yes" if best["length"] >= published["length_low"] else "No"}. Ours balance a pole for
            {best["length"]:.0f} of 200 steps, published agents for {published["length"]:.0f}.
        """
    return Finding(
        "Do agents learn here as published ones do?",
        answer,
        f"""
            The agents do not see the pole's velocities. At the end of training the pole is balanced for
            {listed(ends) if own else "–"} steps: medians over agents, and in brackets the least and the largest. It is
            balanced for {LENGTHS[0]} steps {first}, and for {LENGTHS[-1]} steps {last}. Published agents have an LSTM
            of 64 units.
        """,
        {},
        f"""
            `attention.games.cart_pole.head_units`: without them, actions are linear in the hidden units of the cell.
            {NO_SEARCH}
        """,
        ("", "cart_pole"),
    )


def _reached(row: Mapping[Any, Any], length: int) -> str:
    """After how many frames; blank is never."""
    middle, low, high = (row[f"frames_to_{length}{end}"] for end in ("", "_low", "_high"))
    if pd.isna(low):
        return "by none"
    if pd.isna(middle):
        return f"not by most, and first after {low:,.0f} frames"
    return f"after {middle:,.0f} frames ({low:,.0f} to {'never' if pd.isna(high) else f'{high:,.0f}'})"
