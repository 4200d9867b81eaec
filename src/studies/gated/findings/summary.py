"""What all cells have in common and what sets them apart; every number is one of a table."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, spread


def answer(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str]) -> Finding:
    """Which cells learn most, see farthest and remember most, at equal parameters."""
    table = tables["cells"].assign(name=lambda rows: rows["architecture"].map(labels))
    best = table.sort_values("share", ascending=False, kind="stable").groupby("family", sort=False).first()
    told = [f"{family} {row['share']:.2f} ({row['name']})" for family, row in best.iterrows()]
    recalled = table.sort_values("capacity", ascending=False, kind="stable")
    most, least = recalled.iloc[0], recalled.iloc[-1]
    changed = table.assign(gain=table["capacity"] - table["capacity_start"]).sort_values("gain", kind="stable")
    blind = table[(table["start"] < table["learned"]).fillna(False)]
    further = table[(table["start"] > table["learned"]).fillna(False)]
    noise = [f"{row['noise']:.1f} in {row['name']}" for row in table.dropna(subset="noise").to_dict("records")]
    return Finding(
        "Which cells learn most, see farthest and remember most, at equal size?",
        f"The share of the task's lags that is learned is, for the best of each family: {'; '.join(told)}.",
        f"""
            Each is the largest of its kind within {table["numbers"].max():,} numbers (the smallest has
            {table["numbers"].min():,}); of a reservoir {spread(_trained(table))} of them are
            fitted. The largest memory capacity after training is that of {most["name"]}, {most["capacity"]:.1f} steps
            ({most["units"]} units), the smallest that of {least["name"]}, {least["capacity"]:.1f} ({least["units"]}).
            Training adds most to {changed.iloc[-1]["name"]} ({changed.iloc[-1]["gain"]:+.1f}) and least to
            {changed.iloc[0]["name"]} ({changed.iloc[0]["gain"]:+.1f}).
            {_named(further, "see a longer lag before training than they come to learn")}
            {_named(blind, "learn a longer lag than they see before training")}
            Before training log₁₀ of the noise scale of the longest lag is {listed(noise)}.
            What a gradient costs beside one of {table["name"].iloc[0]} is {spread(table["cost"].dropna())}.
        """,
        {},
        """
            For what is seen before training: where gates start (`gate_init`), as the rows of slow gates show. For what
            is learned: the learning rate, `optimizers.adamw.learning_rate`, one for all cells. At ten times as much,
            with the first seed, LSTM and GRU come much closer to the RNN, which stays ahead.
        """,
        ("", "summary"),
        (("", "cells"), ("", "cells_by_lag")),
    )


def _trained(table: pd.DataFrame) -> "pd.Series[float]":
    fewer = table[table["trained"] < table["numbers"]]
    return (fewer if len(fewer) else table)["trained"]


def _named(table: pd.DataFrame, what: str) -> str:
    return f"{len(table)} {what}: {listed(table['name'])}." if len(table) else ""
