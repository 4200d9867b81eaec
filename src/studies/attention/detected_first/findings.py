"""Whether lags are detected before they are learned, with attention and without."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, spread
from learnability.report.style import Tables
from studies.attention.comparisons import MOSTLY
from studies.attention.window_tables import WITH

COUNTS = ["lags", "learned", "detected before", "same", "after", "learned at the start", "detected by chance"]
"""Columns of `attention_order` that are numbers of lags."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Whether lags are detected before they are learned, with attention and without."""
    order = tables["attention_order"]
    least = order[order["share"] == order["share"].min()]
    half = order[order["share"] == order["share"].max()]
    trained, measured = least[least["is_trained_on"]], least[~least["is_trained_on"]]
    with_attention = trained["architecture"].isin(WITH)
    groups = {"with attention": trained[with_attention], "without": trained[~with_attention]}
    told = [_in_order(rows, f"that networks {name} learn to a tenth") for name, rows in groups.items() if len(rows)]
    of_all = trained[COUNTS].sum()
    in_time = 1 - of_all["after"] / max(1, of_all["learned"])
    return Finding(
        "Are lags detected before they are learned, with attention as without?",
        f"""
            {"Always" if in_time == 1 else "Mostly" if in_time >= MOSTLY else "In part"}.
            {of_all["learned"] - of_all["after"]} of {of_all["learned"]} learned lags are detected no later than they
            are learned.
        """
        if of_all["learned"]
        else "No lag is learned to a tenth.",
        f"""
            {trained["seeds"].sum()} networks are compared at their stored epochs. A lag is detected if N̂ is at most
            the number of training sequences, {spread(trained["N"])}; it is learned if a tenth of its coefficient is.
            {" ".join(told)} Of the lags that were detected later or never, {of_all["learned at the start"]} have that
            share before training. {_in_order(half[half["is_trained_on"]], "that are learned to a half")} The same with
            N̂ at most the {spread(measured["N"])} measured sequences:
            {_in_order(measured, "that are learned to a tenth")} With the errors of another sequence, where there is
            nothing to detect, {of_all["detected by chance"]} of {of_all["lags"]} lags are detected at some epoch.
        """,
        {},
        """
            N, to which N̂ is extrapolated from the measured sequences; and the stored epochs (0, 1, 2, 5, 10, 20 and so
            on), because changes between two of them count as simultaneous.
        """,
        ("", "attention_training"),
    )


def _in_order(rows: pd.DataFrame, learned: str) -> str:
    counts = rows[COUNTS].sum()
    return f"""
        Of {counts["learned"]} lags {learned}, {counts["detected before"]} were detected before, {counts["same"]} at the
        same epoch and {counts["after"]} later or never.
    """
