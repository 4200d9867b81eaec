"""ρ and ν, before and after training."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, percent
from learnability.report.style import Tables
from studies.attention.sizes.tables import AT_EACH, UNTRAINED, leverage


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """ρ and ν, before and after training."""
    table = tables["screening"]
    moved = leverage(table).assign(model=lambda rows: rows["architecture"].map(labels))
    kinds = {name: moved[moved["trained_on"] == name] for name in (UNTRAINED, AT_EACH)}
    kinds["put"] = moved[~moved["trained_on"].isin([UNTRAINED, AT_EACH])]
    before = kinds[UNTRAINED]
    answer, untrained = "No network with screening was measured.", ""
    if len(before):
        untrained = f"From size {table['size'].min()} to {table['size'].max()}, before training, {_told(before)}."
        at_each = f"; trained at each size {_winner(kinds[AT_EACH])}" if len(kinds[AT_EACH]) else ""
        answer = f"Before training {_winner(before)}{at_each}."
    trained = [_trained(table, rows, labels) for rows in (kinds[AT_EACH], kinds["put"]) if len(rows)]
    return Finding(
        "Which size matters more for the gradient: of the relevant set (ρ) or of the short-term buffer (ν)?",
        answer,
        f"""
            The gradient is the one at the farthest quarter of steps, relative to the last step. {untrained}
            {" ".join(trained) or "No network with screening was trained on denoise."} The paper trains a network for
            each size, on 1,000 steps, and finds that ρ matters and ν hardly does.
        """,
        {},
        """
            how well networks have learned, because the gradient of a network that has not is of errors that stay
            large; and the seed, because few networks are trained at each size.
        """,
        ("", "screening"),
    )


def _winner(moved: pd.DataFrame) -> str:
    """The size that changes gradients more, and in how many networks; neither if both change them less than tenfold."""
    if (moved[["relevant", "short_term"]] < 1).all(axis=None):
        return "neither clearly"
    relevant = int((moved["relevant"] > moved["short_term"]).sum())
    size, networks = (
        ("the relevant set", relevant) if 2 * relevant > len(moved) else ("the buffer", len(moved) - relevant)
    )
    return f"{size} ({networks} of {len(moved)} networks)"


def _told(moved: pd.DataFrame) -> str:
    """Orders of magnitude by which each size changes the gradient, of each network."""
    return listed(
        f"ρ changes the gradient of {row['model']} by {row['relevant']:.1f} orders of magnitude and ν by"
        f" {row['short_term']:.1f}"
        for row in moved.to_dict("records")
    )


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
        In networks trained {trained}, {_told(moved)}; the recall over all sizes is {listed(shares)}.
    """
