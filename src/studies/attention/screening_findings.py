"""What the sizes of what screening keeps do to gradients; every number is one of a table."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, percent
from studies.attention.screening_tables import AT_EACH, UNTRAINED, leverage

Tables = Mapping[str, pd.DataFrame]


def sizes(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """ρ and ν, before and after training."""
    table = tables["screening"]
    moved = leverage(table).assign(model=lambda rows: rows["architecture"].map(labels))
    kinds = {name: moved[moved["trained_on"] == name] for name in (UNTRAINED, AT_EACH)}
    kinds["put"] = moved[~moved["trained_on"].isin([UNTRAINED, AT_EACH])]
    before = kinds[UNTRAINED]
    answer = "No network with screening was measured."
    if len(before):
        low, high = table["size"].min(), table["size"].max()
        at_each = f"Trained at each size, it does so {_more(kinds[AT_EACH])}." if len(kinds[AT_EACH]) else ""
        answer = f"""
            Before training ρ, the size of the relevant set, moves the gradient of the farthest quarter more than ν,
            that of the buffer, {_more(before)}: from size {low} to {high} {_told(before)}. {at_each}
        """
    trained = [_trained(table, rows, labels) for rows in (kinds[AT_EACH], kinds["put"]) if len(rows)]
    return Finding(
        "Which size decides what of a gradient arrives: of the relevant set, or of the short-term buffer?",
        answer,
        f"""
            {_in_numbers(table[table["trained_on"] == UNTRAINED], labels)}
            {" ".join(trained) or "No network with screening was trained on denoise."} The paper trains a network for
            each size, on 1000 steps, and finds that ρ matters and ν hardly does.
        """,
        {},
        """
            How well networks have learned: a gradient of answers that are wrong is of errors that stay. And the seed,
            where at each size few networks are trained.
        """,
        ("", "screening"),
    )


def _more(moved: pd.DataFrame) -> str:
    """In how many networks ρ moves gradients more than ν."""
    return f"in {sum(moved['relevant'] > moved['short_term'])} of {len(moved)} networks"


def _told(moved: pd.DataFrame) -> str:
    return listed(
        f"ρ by {row['relevant']:.1f} decades and ν by {row['short_term']:.1f} in {row['model']}"
        for row in moved.to_dict("records")
    )


def _in_numbers(table: pd.DataFrame, labels: Mapping[str, str]) -> str:
    told = []
    for (name, varied), rows in table.groupby(["architecture", "varied"], sort=False):
        sign = {"relevant": "ρ", "short_term": "ν"}[str(varied)]
        values = [f"{row['farthest']:.1f} at {sign} = {row['size']}" for row in rows.to_dict("records")]
        told.append(f"{listed(values)} in {labels[str(name)]}")
    return f"log₁₀ of what arrives there, beside the last step, is {'; '.join(told)}." if told else ""


def _trained(table: pd.DataFrame, moved: pd.DataFrame, labels: Mapping[str, str]) -> str:
    name = moved["trained_on"].iloc[0]
    rows = table[table["trained_on"] == name]
    shares = [
        f"{percent(own['accuracy'].min())} to {percent(own['accuracy'].max())} in {labels[str(architecture)]}"
        for architecture, own in rows.groupby("architecture", sort=False)
    ]
    trained = (
        f"on {name} (of {rows['steps'].iloc[0]} steps)" if name == AT_EACH else f"on {name} and put to other sizes"
    )
    return f"""
        In networks trained {trained}, ρ moves it more {_more(moved)}: {_told(moved)}; symbols that are named, over all
        sizes, are {listed(shares)}.
    """


QUESTIONS = {sizes: ["screening"]}
"""Each question, and the tables that answer it."""
