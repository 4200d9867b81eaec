"""What all cells have in common and what sets them apart; every number is one of a table."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, percent, spread

NEAR = 0.03
"""Share of the parameters that were asked for, within which sizes count as equal."""


def answer(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str]) -> Finding:
    """Which cells learn most, see farthest and remember most, at equal parameters."""
    labels = {name: label.replace(", ", " with ") for name, label in labels.items()}  # which are listed by commas
    table = tables["cells"].assign(name=lambda rows: rows["architecture"].map(labels))
    best = table.sort_values("share", ascending=False, kind="stable").groupby("family", sort=False).first()
    told = [f"{family} {row['share']:.2f} ({row['name']})" for family, row in best.iterrows()]
    recalled = table.sort_values("capacity", ascending=False, kind="stable")
    most, least = recalled.iloc[0], recalled.iloc[-1]
    learner = best.iloc[int(best["share"].to_numpy().argmax())]
    changed = table[table["family"] != "reservoirs"].sort_values("gain", kind="stable")
    blind = table[(table["start"] < table["learned"]).fillna(False)]
    further = table[(table["start"] > table["learned"]).fillna(False)]
    noise = table.dropna(subset="noise").set_index("name")["noise"]
    return Finding(
        "Which cells learn most, see farthest and remember most, at equal size?",
        f"""
            {learner["name"]} learns most ({percent(learner["share"])} of the lags), and
            {"also" if learner["name"] == most["name"] else most["name"]} remembers longest
            ({most["capacity"]:.0f} steps).
        """,
        f"""
            The learned share of the lags of the best cell in each family is {"; ".join(told)}. Each cell is the largest
            of its kind within a number of parameters. {_missing(table)} Of a reservoir {spread(_trained(table))}
            numbers are fitted. The largest memory capacity after training is that of {most["name"]},
            {most["capacity"]:.1f} steps ({most["units"]} units), the smallest that of {least["name"]},
            {least["capacity"]:.1f} ({least["units"]}). Training adds most to {changed.iloc[-1]["name"]}
            ({changed.iloc[-1]["gain"]:+.1f}) and least to {changed.iloc[0]["name"]} ({changed.iloc[0]["gain"]:+.1f}).
            {_rates(tables["cells_rates"], labels)}
            {_named(further, "see a longer lag before training than they come to learn")}
            {_named(blind, "learn a longer lag than they see before training")} Before training log₁₀ of the noise scale
            of the longest lag is {noise.min():.1f} ({noise.idxmin()}) to {noise.max():.1f} ({noise.idxmax()}). A
            gradient takes {spread(table["multiply_adds"].dropna())} multiply-adds a step. Its processor time, by the
            engine that trains each cell here, is {spread(table["cost"].dropna())} times that of
            {table["name"].iloc[0]}.
        """,
        {},
        f"""
            the learning rate. {_moved_by_rates(tables["cells_rates"], labels)} Windows before training depend on where
            gates start (`gate_init`), as the rows of slow gates show.
        """,
        ("", "summary"),
        (("", "cells"), ("", "cells_by_lag"), ("", "cells_rates")),
    )


def _missing(table: pd.DataFrame) -> str:
    """Cells whose size is another, and why."""
    off = table[table["miss"].abs() > NEAR].sort_values("miss", kind="stable")
    if off.empty:
        return f"All are within {percent(NEAR)} of it."
    told = [f"{row['name']} {percent(row['miss'])} ({row['numbers']:,})" for row in off.to_dict("records")]
    return f"""Whole units leave {len(off)} more than {percent(NEAR)} off: {listed(told)}.
        The next unit would be above it; a GORU's units are a power of 2."""


def _rates(rates: pd.DataFrame, labels: Mapping[str, str]) -> str:
    """Which rates were tried, which cells might gain by another, and which are not shown at their best."""
    names = rates["architecture"].map(labels)
    edge, other = names[rates["chosen"] & rates["edge"]], names[rates["chosen"] & ~rates["shown"]]
    told = [f"Rates are {listed(f'{rate:g}' for rate in sorted(rates['rate'].unique()))}."]
    if len(edge):
        told.append(f"Their smallest or largest is best for {listed(edge)}, which another might suit better.")
    if len(other):
        told.append(f"The rate with the lowest validation loss is not the one shown for {listed(other)}.")
    return " ".join(told)


def _moved_by_rates(rates: pd.DataFrame, labels: Mapping[str, str]) -> str:
    """The cell whose learned share differs most between rates, and who learns most if all cells have one rate."""
    shares = rates.assign(name=rates["architecture"].map(labels)).pivot(index="name", columns="rate", values="share")
    widest = shares.max(axis=1).sub(shares.min(axis=1)).idxmax()
    own: pd.Series[float] = shares.T[widest]
    one_rate = [f"{of_rate.idxmax()} ({of_rate.max():.2f}) at {rate:g}" for rate, of_rate in shares.items()]
    return f"""It moves the learned share of {widest} most, from {own.min():.2f} (at {own.idxmin():g}) to
        {own.max():.2f} (at {own.idxmax():g}). With one rate for all cells, the one that learns most is
        {listed(one_rate)}."""


def _trained(table: pd.DataFrame) -> "pd.Series[float]":
    fewer = table[table["trained"] < table["numbers"]]
    return (fewer if len(fewer) else table)["trained"]


def _named(table: pd.DataFrame, what: str) -> str:
    return f"{len(table)} {what}: {listed(table['name'])}." if len(table) else ""
