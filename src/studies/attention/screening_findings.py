"""What the sizes of what screening keeps do to gradients; every number is one of a table."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, percent
from studies.attention.screening_tables import UNTRAINED, leverage

Tables = Mapping[str, pd.DataFrame]


def sizes(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """ρ and ν, before and after training."""
    table = tables["screening"]
    moved = leverage(table).assign(model=lambda rows: rows["architecture"].map(labels))
    before, after = (moved[(moved["trained_on"] == UNTRAINED) == untrained] for untrained in (True, False))
    more, more_trained = (
        sum(row["relevant"] > row["short_term"] for row in rows.to_dict("records")) for rows in (before, after)
    )
    answer = "No network with screening was measured."
    if len(before):
        low, high = table["size"].min(), table["size"].max()
        told = [
            f"{row['relevant']:.1f} and {row['short_term']:.1f} in {row['model']}" for row in before.to_dict("records")
        ]
        answer = f"""
            Before training ρ, the size of the relevant set, moves the gradient of the farthest quarter more than ν,
            that of the buffer, in {more} of {len(before)} networks: from {low} to {high} by {listed(told)}, in decades.
            {f"After training it does so in {more_trained} of {len(after)}." if len(after) else ""}
        """
    return Finding(
        "Which size decides what of a gradient arrives: of the relevant set, or of the short-term buffer?",
        answer,
        f"""
            {_in_numbers(table[table["trained_on"] == UNTRAINED], labels)} {_trained(table, after, labels)} The paper
            trains a network for each size, on 1000 steps, and finds that ρ matters and ν hardly does.
        """,
        {},
        """
            Training again at each size, as the paper does: weights here are those of the start, or of networks that
            learned with the sizes of their experiment and are put to others.
        """,
        ("", "screening"),
    )


def _in_numbers(table: pd.DataFrame, labels: Mapping[str, str]) -> str:
    told = []
    for (name, varied), rows in table.groupby(["architecture", "varied"], sort=False):
        sign = {"relevant": "ρ", "short_term": "ν"}[str(varied)]
        values = [f"{row['farthest']:.1f} at {sign} = {row['size']}" for row in rows.to_dict("records")]
        told.append(f"{listed(values)} in {labels[str(name)]}")
    return f"log₁₀ of what arrives there, beside the last step, is {'; '.join(told)}." if told else ""


def _trained(table: pd.DataFrame, moved: pd.DataFrame, labels: Mapping[str, str]) -> str:
    if not len(moved):
        return "No network with screening was trained on denoise."
    rows = table[table["trained_on"] != UNTRAINED]
    told = [
        f"{row['relevant']:.1f} by ρ and {row['short_term']:.1f} by ν in {row['model']}"
        for row in moved.to_dict("records")
    ]
    shares = [
        f"{percent(own['accuracy'].min())} to {percent(own['accuracy'].max())} in {labels[str(name)]}"
        for name, own in rows.groupby("architecture", sort=False)
    ]
    return f"""
        After training on {rows["trained_on"].iloc[0]} these are {listed(told)}, and symbols that are named, over all
        sizes, {listed(shares)}.
    """


QUESTIONS = {sizes: ["screening"]}
"""Each question, and the tables that answer it."""
