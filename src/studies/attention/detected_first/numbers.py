"""Lags that are detected before they are learned, for the page."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.report.style import Tables
from studies.attention.window_tables import WITH

COUNTS = ["lags", "learned", "detected before", "same", "after", "learned at the start", "detected by chance"]
"""Columns of `attention_order` that are numbers of lags."""


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: counts of lags learned to a tenth, with attention and without, and to a `half`.

    `of_chance` leaves out lags without attention that are learned before training, by the networks `at_start`. Names
    that end in `_measured` are of the sequences from which N̂ is estimated.
    """
    order = tables["attention_order"]
    least, half = (order[order["share"] == share] for share in (order["share"].min(), order["share"].max()))
    at_training_size, at_measured_size = least[least["is_trained_on"]], least[~least["is_trained_on"]]
    attends, attends_measured = (rows["architecture"].isin(WITH) for rows in (at_training_size, at_measured_size))
    others = at_training_size.loc[~attends, COUNTS].sum()
    others_measured = at_measured_size.loc[~attends_measured, COUNTS].sum()
    return {
        "networks": at_training_size["seeds"].sum(),
        "seeds": at_training_size["seeds"].max(),
        "kinds": at_training_size.groupby("experiment")["architecture"].nunique(),
        "every": at_training_size[COUNTS].sum(),
        "attending": at_training_size.loc[attends, COUNTS].sum(),
        "others": others,
        "of_chance": _without_chance(others),
        "of_chance_measured": _without_chance(others_measured),
        "at_start": _by_chance(at_training_size, labels),
        "at_start_measured": _by_chance(at_measured_size, labels),
        "attending_measured": at_measured_size.loc[attends_measured, COUNTS].sum(),
        "others_measured": others_measured,
        "half": half.loc[half["is_trained_on"], COUNTS].sum(),
        "of_measured": at_measured_size[COUNTS].sum(),
        "measured": at_measured_size["N"].max(),
        "fewest": at_training_size["N"].min(),
    }


def _without_chance(counts: pd.Series) -> pd.Series:
    return counts[["learned", "after"]] - counts["learned at the start"]


def _by_chance(order: pd.DataFrame, labels: Mapping[str, str]) -> list[str]:
    return sorted(set(order.loc[order["learned at the start"] > 0, "architecture"].map(labels)))
