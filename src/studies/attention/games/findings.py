"""The questions of which agents are the answer; every number is one of a table."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.report.findings import Finding, listed, percent, spread
from studies.attention.games.cart_pole import LENGTHS, PUBLISHED
from studies.attention.games.paper import FRAMES
from studies.attention.trained_tables import MOST

Tables = Mapping[str, pd.DataFrame]


def larger_grids(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """What agents that learned on a small grid do on a larger one."""
    table = tables["games"].assign(model=lambda rows: rows["architecture"].map(labels))
    agents = table.dropna(subset="train")
    learned = agents[agents["train_success"] >= MOST]
    told = [
        f"{name} has a mean return of {rows['train'].mean():.2f} where it was trained and {rows['test'].mean():.2f} on"
        f" the larger grid"
        for name, rows in agents.groupby("model", sort=False)
    ]
    single = [
        f"{row['model']} {row['train']:.2f} and {row['test']:.2f} ({row['trained_on']})"
        for row in agents.to_dict("records")
    ]
    gaps = agents.assign(gap=agents["train"] - agents["train_paper"]).dropna(subset="gap").sort_values("gap", key=abs)
    farthest = [
        f"The largest difference from the paper in training is {row['gap']:+.2f}, of {row['model']} on"
        f" {row['trained_on']}."
        for row in gaps.tail(1).to_dict("records")
    ]
    frames = f"{spread(agents['frames'])} frames" if len(agents) else "no frames"
    answer = "No agent was trained here."
    if len(agents):
        answer = f"""
            After {percent(agents["frames"].max() / FRAMES)} of the paper's frames
            {len(learned)} of {len(agents)} agents succeed where they were trained,
            and {(learned["test_success"] >= MOST).sum()} of these on the larger grid.
        """
    return Finding(
        "Does what an agent with memory learned on a small grid serve it on a larger one?",
        answer,
        f"""
            An agent succeeds if it reaches its goal in {percent(MOST)} of the episodes.
            {f"{listed(told)}." if told else ""} By environment the two returns are
            {listed(single) if single else "none"}. {"".join(farthest)} Agents saw {frames}
            here, {FRAMES:,} in the paper, which does not say whether they read their mission.
        """,
        {},
        f"""
            `attention.games.frames`: {len(agents) - len(learned)} of {len(agents)} agents have not learned where they
            were trained, and their return on the larger grid says little of what memory is for.
        """,
        ("", "games"),
    )


def balancing(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Agents that balance a pole, beside published ones."""
    names = {PUBLISHED: "published", **labels}
    table = tables["cart_pole"].assign(name=lambda rows: rows["architecture"].map(names))
    published, *own = table.dropna(subset="length").to_dict("records")
    ends = [
        f"{row['length']:.0f} ({row['length_low']:.0f} to {row['length_high']:.0f}) of 200 steps by {row['runs']} with"
        f" {row['name']} after {row['frames']:,} frames"
        for row in own
    ]
    first, last = (
        listed([f"{_reached(row, length)} ({row['name']})" for row in (published, *own)]) for length in LENGTHS
    )
    answer = "No agent was trained here for as long as an episode."
    if own:
        answer = f"""
            A pole whose velocities are not seen is balanced for {listed(ends)}; by {published["runs"]} published agents
            for {published["length"]:.0f} ({published["length_low"]:.0f} to {published["length_high"]:.0f}) after
            {published["frames"]:,}. For {LENGTHS[-1]} steps it is balanced {last}.
        """
    return Finding(
        "Do agents learn here as published ones do?",
        answer,
        f"""
            Each number is a median over agents, and in brackets are the least and the greatest. For {LENGTHS[0]} steps
            a pole is balanced {first}. Published agents have an LSTM of 64 units.
        """,
        {},
        "`attention.games.cart_pole.head_units`: left out, what agents do is linear in the hidden units of the cell.",
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
