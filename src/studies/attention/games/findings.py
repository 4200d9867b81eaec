"""The question of which agents in MiniGrid are the answer; every number is one of a table."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, percent, spread
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


QUESTIONS = {larger_grids: ["games"]}
"""The question, and the table that answers it."""
