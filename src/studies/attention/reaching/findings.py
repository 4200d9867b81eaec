"""Delays over which networks copy and denoise, each trained at its delay, beside what the paper prints."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, number, percent
from learnability.report.style import Tables
from studies.attention.answers import NEAR
from studies.attention.trained_tables import MOST


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Delays over which networks copy and denoise, each trained at its delay, beside what the paper prints."""
    both = {"copy": tables["copied"], "denoise": tables["denoised"]}
    cells = pd.concat([table.assign(task=task) for task, table in both.items()], ignore_index=True)
    cells = cells.assign(model=cells["architecture"].map(labels))
    measured, blank = cells[cells["seeds"] > 0], cells[cells["core_hours"].notna()]
    learned = measured[measured["measured"] >= MOST]
    longest = {task: rows.groupby("model", sort=False)["delay"].max() for task, rows in learned.groupby("task")}
    missed = measured[measured["measured"] < MOST].merge(
        learned.groupby(["task", "model"])["delay"].max().rename("longest").reset_index()
    )
    short = [
        f"{name} on {task} at {listed(f'T = {delay}' for delay in rows['delay'])}"
        for (task, name), rows in missed[missed["delay"] < missed["longest"]].groupby(["task", "model"], sort=False)
    ]
    shorter = f"At a shorter delay {listed(short)} recalls less." if short else ""
    denoised = f"the longest is {_longest(longest['denoise'])}" if "denoise" in longest else "no network does"
    told = [
        f"{listed(f'{name!s} {delay:,}' for name, delay in delays.items())} for {task!s}"
        for task, delays in longest.items()
    ]
    beside = measured.dropna(subset="paper")
    near = ((beside["measured"] - beside["paper"]).abs() <= NEAR).sum()
    several = beside[beside["seeds"] > 1]
    ranges = "Each is of one seed."
    if len(several):
        row = several.assign(width=several["high"] - several["low"]).sort_values("width").iloc[-1]
        ranges = f"""
            {len(several)} of them have several seeds; the widest range is {percent(row["low"])} to
            {percent(row["high"])}, for {row["model"]} ({row["task"]}, T = {row["delay"]}).
        """
    cost = ""
    if len(blank):
        dearest = blank.sort_values("core_hours").iloc[-1]
        cost = f"""
            {len(blank)} values of the paper are not measured here: one seed of each would take
            {number(blank["core_hours"].sum())} hours of one core, {number(dearest["core_hours"])} of them for
            {dearest["model"]} at T = {dearest["delay"]} ({dearest["task"]}).
        """
    single = beside[beside["seeds"] == 1]
    seeds = f"{len(single)} of these values have one" if len(single) else "each value has several"
    return Finding(
        "Over how many steps do networks copy, and denoise?",
        _reached(longest.get("copy")),
        f"""
            Delays that were not trained are blank. When denoising {denoised}
            ([figure](figures/denoised.png)). The longest delays at which networks recall {percent(MOST)} of the symbols
            are {"; ".join(told) or "none"}. {shorter} Of {len(beside)} values that the paper prints too, {near} lie
            within {100 * NEAR:.0f} percentage points of the paper. {ranges} {cost}
        """,
        {},
        f"""
            how long networks are trained (`epochs`), and the seed: {seeds}. A search at a small size would say
            nothing, for there orth-RNN copies over 320 steps as expRNN does.
        """,
        ("", "copied"),
    )


def _reached(delays: "pd.Series[int] | None") -> str:
    """The networks that copy over the longest delay, and how far all others come."""
    if delays is None:
        return f"No network that was trained here copies {percent(MOST)} of the symbols."
    most = delays.max()
    names, others = listed(map(str, delays.index[delays == most])), delays[delays < most]
    further = f", every other network that was tried over at most {others.max():,}" if len(others) else ""
    return f"Trained at the delay, {names} copies over {most:,} steps{further}."


def _longest(delays: "pd.Series[int]") -> str:
    """The longest delay, and the network that reaches it."""
    name, delay = max(delays.items(), key=lambda item: item[1])
    return f"{delay:,} ({name!s})"
