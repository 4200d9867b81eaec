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
            Of {len(agents)} agents {len(learned)} succeed in {percent(MOST)} of the episodes where they were trained,
            and {(learned["test_success"] >= MOST).sum()} of these do so on the larger grid.
        """
    return Finding(
        "Does what an agent with memory learned on a small grid serve it on a larger one?",
        answer,
        f"""
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
    table = tables["cart_pole"].set_index("architecture")
    rows = {str(name): row for name, row in table.to_dict("index").items()}
    own = table.drop(PUBLISHED)
    names = {PUBLISHED: "published agents"} | {str(name): f"agents with {labels[str(name)]}" for name in own.index}
    ends = [f"{_over_runs(rows[name], 'length')} by {rows[name]['runs']} {agents}" for name, agents in names.items()]
    soon = [
        f"{length} steps after {_over_runs(row, f'frames_to_{length}')} frames by {names[name]}"
        for length in LENGTHS
        for name, row in rows.items()
    ]
    answer = "No agent was trained here."
    if len(own):
        answer = f"""
            A pole whose velocities are not seen is balanced for so many of 200 steps after {spread(own["frames"])}
            frames: {listed(ends)}.
        """
    return Finding(
        "Do agents learn here as published ones do?",
        answer,
        f"""
            Each number is a median over agents, and in brackets the least and the greatest. A pole is
            balanced for {listed(soon)}. All see the position of the cart and the angle of the pole; published agents
            have an LSTM of 64 units. Their readout has three hidden layers where it is linear here, their learning
            rate falls, and gradients go back over 8 steps.
        """,
        {},
        "The learning rate and `attention.games.cart_pole.ppo.truncation`: both are other than in the published runs.",
        ("", "cart_pole"),
    )


def _over_runs(row: Mapping[Any, Any], name: str) -> str:
    """The median, the least and the greatest; blank is never."""
    middle, *ends = (row[f"{name}{end}"] for end in ("", "_low", "_high"))
    return f"{_or_never(middle)} ({' to '.join(map(_or_never, ends))})"


def _or_never(value: float) -> str:
    return "never" if pd.isna(value) else f"{value:,.0f}"


QUESTIONS = {larger_grids: ["games"], balancing: ["cart_pole"]}
"""Each question, and the table that answers it."""
