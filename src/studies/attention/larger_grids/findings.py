"""What agents that learned on a small grid do on a larger one."""

from collections.abc import Mapping

from learnability.report.findings import Finding, listed, percent, spread
from learnability.report.style import Tables
from studies.attention.answers import NO_SEARCH
from studies.attention.games.paper import FRAMES
from studies.attention.trained_tables import MOST


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
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
