"""Lags that are detected before they are learned, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.attention.window_tables import WITH

COUNTS = ["lags", "learned", "detected before", "same", "after", "learned at the start", "detected by chance"]
"""Columns of `attention_order` that are numbers of lags."""


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: counts of lags learned to a tenth, with attention and without, and to a `half`.

    `of_chance` leaves out lags without attention that are learned before training, by the networks `at_start`.
    """
    order = tables["attention_order"]
    least, half = (order[order["share"] == share] for share in (order["share"].min(), order["share"].max()))
    at_training_size, at_measured_size = least[least["is_trained_on"]], least[~least["is_trained_on"]]
    attends, attends_measured = (rows["architecture"].isin(WITH) for rows in (at_training_size, at_measured_size))
    others = at_training_size.loc[~attends, COUNTS].sum()
    by_chance = at_training_size.loc[at_training_size["learned at the start"] > 0, "architecture"]
    return {
        "networks": at_training_size["seeds"].sum(),
        "every": at_training_size[COUNTS].sum(),
        "attending": at_training_size.loc[attends, COUNTS].sum(),
        "others": others,
        "of_chance": others[["learned", "after"]] - others["learned at the start"],
        "at_start": sorted(set(by_chance.map(labels))),
        "attending_measured": at_measured_size.loc[attends_measured, COUNTS].sum(),
        "others_measured": at_measured_size.loc[~attends_measured, COUNTS].sum(),
        "half": half.loc[half["is_trained_on"], COUNTS].sum(),
        "of_measured": at_measured_size[COUNTS].sum(),
        "measured": at_measured_size["N"].max(),
        "fewest": at_training_size["N"].min(),
    }
