"""Questions that agents answer; every number is in a table."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.report.findings import Finding, listed, percent, spread
from studies.attention.games.cart_pole import LENGTHS, PUBLISHED
from studies.attention.games.paper import FRAMES
from studies.attention.trained_tables import MOST

Tables = Mapping[str, pd.DataFrame]
NO_SEARCH = "A search would take hours for each setting, until agents learn."


def larger_grids(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """What agents that learned on a small grid do on a larger one."""
    table = tables["games"].assign(model=lambda rows: rows["architecture"].map(labels))
    agents = table.dropna(subset="train")
    learned = agents[agents["train_success"] >= MOST]
    told = [
        f"{rows['train'].mean():.2f} and {rows['test'].mean():.2f} for {name}"
        for name, rows in agents.groupby("model", sort=False)
    ]
    gaps = agents.assign(gap=agents["train"] - agents["train_paper"]).dropna(subset="gap").sort_values("gap", key=abs)
    farthest = [
        f"The largest difference from the paper's training returns is {row['gap']:+.2f} ({row['model']},"
        f" {row['trained_on']})."
        for row in gaps.tail(1).to_dict("records")
    ]
    frames = f"{spread(agents['frames'])} frames" if len(agents) else "no frames"
    answer = "No agent was trained here."
    if len(agents):
        able = (learned["test_success"] >= MOST).sum()
        answer = (
            f"{able} of {len(learned)} agents that learned a small grid also succeed on the larger one."
            if 2 * len(learned) >= len(agents)
            else f"""
            Undecided after {percent(agents["frames"].max() / FRAMES)} of the paper's frames: only {len(learned)} of
            {len(agents)} agents have learned the small grid.
        """
        )
    return Finding(
        "Do agents with memory that learned a small grid succeed on a larger one?",
        answer,
        f"""
            An agent succeeds if it reaches its goal in {percent(MOST)} of the episodes. Of the {len(learned)} agents
            that succeed on the small grid, {(learned["test_success"] >= MOST).sum()} succeed on the larger one.
            {f"The mean returns on the two grids are {listed(told)}." if told else ""} {"".join(farthest)} Agents saw
            {frames} here, and {FRAMES:,} in the paper, which does not say whether they read their mission.
        """,
        {},
        f"""
            `attention.games.frames`: {len(agents) - len(learned)} of {len(agents)} agents have not learned the small
            grid, and their return on the larger one says little about memory. {NO_SEARCH}
        """,
        ("", "games"),
    )


def balancing(tables: Tables, labels: Mapping[str, str]) -> Finding:
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


QUESTIONS = {larger_grids: ["games"], balancing: ["cart_pole"]}
"""Each question, and the table that answers it."""
